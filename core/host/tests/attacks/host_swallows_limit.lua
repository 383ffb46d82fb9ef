-- expect: ran for more than 1000000 ticks
return function()
    while true do host.swallow(function() while true do end end) end
end
