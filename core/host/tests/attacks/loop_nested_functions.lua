-- expect: ran for more than 1000000 ticks
return function()
    local function inner() for _ = 1, 1e9 do end end
    local function outer() while true do inner() end end
    outer()
end
