-- expect: ran for more than
return function()
    local text = ('('):rep(4096)
    while true do text:find('%b()') end
end
