-- expect: more than 65536
return function()
    return table.move({}, 1, 1e15, 2)
end
