-- expect: more than 250
return function()
    return select('#', unpack(table.create(300, 1)))
end
