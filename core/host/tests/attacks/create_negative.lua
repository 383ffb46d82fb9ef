-- expect: size out of range
return function()
    return table.create(-1)
end
