-- expect: bytes of memory
return function()
    local last = {}
    while true do last = { last, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {} } end
end
