-- expect: __mode and __gc are not allowed
return function()
    return setmetatable({}, { __gc = function() while true do end end })
end
