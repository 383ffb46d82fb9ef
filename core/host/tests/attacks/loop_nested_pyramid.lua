-- expect: ran for more than 1000000 ticks
return function()
    local function ten(f) return function() for _ = 1, 10 do f() end end end
    local f = function() end
    for _ = 1, 12 do f = ten(f) end
    f()
end
