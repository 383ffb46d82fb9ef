-- expect: longer than
return function()
    local text = 'x'
    for _ = 1, 22 do text = text .. text end
    return text:find(text .. 'y', 1, true)
end
