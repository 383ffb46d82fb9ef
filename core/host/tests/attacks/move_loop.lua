-- expect: ran for more than
return function()
    local list = table.create(65536, 1)
    while true do table.move(list, 1, 65536, 2) end
end
