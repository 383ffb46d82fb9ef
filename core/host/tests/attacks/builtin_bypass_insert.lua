-- expect: not in the list
return function()
    local list = {}
    table.insert(list, 1e12, 1)
end
