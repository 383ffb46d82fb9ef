-- expect: protected metatable
return function()
    local value = setmetatable({}, { __metatable = 'locked' })
    assert(getmetatable(value) == 'locked')
    setmetatable(value, {})
end
