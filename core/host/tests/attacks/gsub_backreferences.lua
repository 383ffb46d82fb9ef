-- expect: bytes of memory
return function()
    local text = ('x'):rep(4096)
    return #text:gsub('.+', ('%0'):rep(2048))
end
