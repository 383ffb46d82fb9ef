-- expect: ran for more than
return function()
    local list = {}
    for i = 1, 60000 do list[i] = i * 7919 % 60013 end
    while true do table.sort(list) list[1] = 1e9 end
end
