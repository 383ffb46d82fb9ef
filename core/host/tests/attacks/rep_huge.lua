-- expect: longer than 65536 bytes
return function()
    return ('x'):rep(1e9)
end
