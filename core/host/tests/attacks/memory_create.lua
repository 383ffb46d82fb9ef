-- expect: bytes of memory
return function()
    local list = {}
    while true do list[#list + 1] = table.create(65536, 0) end
end
