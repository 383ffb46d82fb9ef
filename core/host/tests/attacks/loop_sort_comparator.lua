-- expect: ran for more than 1000000 ticks
return function()
    table.sort({ 3, 2, 1 }, function() while true do end end)
end
