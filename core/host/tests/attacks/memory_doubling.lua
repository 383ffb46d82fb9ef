-- expect: bytes of memory
return function()
    local text = 'x'
    while true do text = text .. text end
end
