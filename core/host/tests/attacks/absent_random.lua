-- expect: attempt to call a nil value
return function()
    return math.random()
end
