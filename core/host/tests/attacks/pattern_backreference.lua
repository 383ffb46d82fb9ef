-- expect: ran for more than
return function()
    local text = ('a'):rep(4096)
    while true do text:find('(.*)%1b') end
end
