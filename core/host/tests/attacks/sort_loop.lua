-- expect: ran for more than
return function()
    local list = {}
    for i = 1, 60000 do list[i] = -i end
    while true do table.sort(list, function(a, b) return a < b end) end
end
