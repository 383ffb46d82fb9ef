-- expect: error in error handling
return function()
    local trap
    trap = setmetatable({}, { __tostring = function() return tostring(trap) end })
    return tostring(trap)
end
