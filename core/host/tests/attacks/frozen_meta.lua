-- expect: readonly
return function()
    local meta = {}
    local value = setmetatable({}, meta)
    meta.__mode = 'k'
    return value
end
