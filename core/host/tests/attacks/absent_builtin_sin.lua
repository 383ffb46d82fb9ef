-- expect: attempt to call a nil value
return function()
    return math.sin(1)
end
