-- expect: ran for more than 1000000 ticks
return function()
    for _ = 1, math.huge do end
end
