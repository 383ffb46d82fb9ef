-- expect: more than 65536
return function()
    return table.concat({}, '', 1, 1e15)
end
