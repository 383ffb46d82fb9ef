-- expect: ran for more than
return function()
    local big = ('x'):rep(60000)
    while true do string.format('%s', big) end
end
