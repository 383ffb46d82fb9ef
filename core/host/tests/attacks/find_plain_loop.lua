-- expect: ran for more than
return function()
    local text, part = ('a'):rep(65536), ('a'):rep(4000) .. 'b'
    while true do text:find(part, 1, true) end
end
