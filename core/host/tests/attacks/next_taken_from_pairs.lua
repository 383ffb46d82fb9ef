-- expect: no fixed order
return function()
    local step = pairs({})
    return step({ [{}] = 1 })
end
