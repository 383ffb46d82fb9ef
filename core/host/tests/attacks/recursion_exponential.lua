-- expect: ran for more than 1000000 ticks
return function()
    local function both(n) if n == 0 then return 0 end return both(n - 1) + both(n - 1) end
    return both(60)
end
