-- expect: stack overflow
return function()
    local trap
    trap = setmetatable({}, { __index = function(_, key) return trap[key .. 'x'] end })
    return trap.a
end
