-- expect: longer than 65536 bytes
return function()
    local big = ('x'):rep(60000)
    return string.format('%s%s', big, big)
end
