-- expect: bytes of memory
return function()
    local big = ('y'):rep(65536)
    return #(('x'):rep(4096):gsub('x', { x = big }))
end
