-- expect: more than 65536
return function()
    return table.create(1e9, 0)
end
