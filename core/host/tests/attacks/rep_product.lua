-- expect: longer than 65536 bytes
return function()
    return ('x'):rep(60000):rep(60000)
end
