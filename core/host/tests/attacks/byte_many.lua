-- expect: more than 250
return function()
    return ('x'):rep(65536):byte(1, -1)
end
