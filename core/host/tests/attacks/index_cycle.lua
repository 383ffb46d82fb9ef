-- expect: chain too long
return function()
    local first, second = {}, {}
    setmetatable(first, { __index = second })
    setmetatable(second, { __index = first })
    return first.a
end
