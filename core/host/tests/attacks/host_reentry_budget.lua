-- expect: ran for more than 1000000 ticks
return function()
    while true do host.call(function() for _ = 1, 1000 do end end) end
end
