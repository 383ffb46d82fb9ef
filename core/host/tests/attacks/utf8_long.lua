-- expect: longer than 4096 bytes
return function()
    return utf8.len(('a'):rep(60000))
end
