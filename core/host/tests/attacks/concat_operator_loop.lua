-- expect: bytes of memory
return function()
    local half = ('a'):rep(65536)
    for _ = 1, 6 do half = half .. half end
    while true do local _ = half .. 'x' end
end
