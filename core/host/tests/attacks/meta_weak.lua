-- expect: __mode and __gc are not allowed
return function()
    return setmetatable({}, { __mode = 'k' })
end
