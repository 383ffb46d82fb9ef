-- expect: more than 250
return function()
    return unpack({}, 1, 1e7)
end
