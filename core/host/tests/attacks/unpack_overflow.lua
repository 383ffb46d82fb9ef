-- expect: more than 250
return function()
    return table.unpack({}, -2 ^ 53, 2 ^ 53)
end
