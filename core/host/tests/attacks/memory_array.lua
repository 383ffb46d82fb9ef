-- expect: bytes of memory
return function()
    local list = {}
    for i = 1, 1e9 do list[i] = { i, i, i, i, i, i, i, i } end
end
