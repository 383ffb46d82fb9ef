-- expect: ran for more than 1000000 ticks
return function()
    local list = {}
    for i = 1, 60000 do list[i] = ('x'):rep(60000) end
    return #table.concat(list)
end
