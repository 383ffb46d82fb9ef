-- expect: ran for more than
return function()
    local list = {}
    while true do table.insert(list, 1, 0) end
end
