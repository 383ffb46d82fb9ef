-- expect: invalid order function
return function()
    local list = {}
    for i = 1, 200 do list[i] = i % 7 end
    table.sort(list, function() return true end)
end
