-- expect: ran for more than
return function()
    local text = ('a'):rep(65536)
    while true do text:upper() end
end
