-- expect: no fixed order
return function()
    return next({ [{}] = 1 })
end
