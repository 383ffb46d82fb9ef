-- expect: ran for more than 1000000 ticks
return function()
    for _ = 1, 2, 1e-300 do end
end
