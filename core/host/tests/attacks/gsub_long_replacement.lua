-- expect: longer than 4096 bytes
return function()
    return #(('x'):rep(4096):gsub('.', ('%0'):rep(60000 // 2)))
end
