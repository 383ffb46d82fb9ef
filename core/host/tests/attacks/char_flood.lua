-- expect: ran for more than 1000000 ticks
return function()
    while true do string.char(unpack(table.create(250, 65))) end
end
