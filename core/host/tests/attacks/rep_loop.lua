-- expect: ran for more than
return function()
    local text = ('x'):rep(60000)
    while true do text:rep(1) end
end
