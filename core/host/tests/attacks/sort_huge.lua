-- expect: more than 65536
return function()
    local list = {}
    for i = 1, 100000 do list[i] = -i end
    table.sort(list)
end
