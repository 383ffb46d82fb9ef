-- expect: ran for more than 1000000 ticks
return function()
    local map = {}
    for i = 1, 300000 do map[i] = i end
    local hold = {}
    while true do hold[#hold + 1] = sorted_pairs(map) end
end
