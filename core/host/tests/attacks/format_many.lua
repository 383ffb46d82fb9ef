-- expect: more than 64
return function()
    return string.format(('%s'):rep(100), unpack(table.create(100, 'x')))
end
