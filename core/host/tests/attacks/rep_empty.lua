-- expect: longer than 65536 bytes
return function()
    return (''):rep(1e15)
end
