-- expect: bytes of memory
return function()
    local map = {}
    for i = 1, 1e9 do map['key' .. i] = 'value' .. i end
end
