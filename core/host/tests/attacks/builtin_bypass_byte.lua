-- expect: more than 250
return function()
    local n = select('#', string.byte(string.rep('x', 300), 1, 300))
    return n
end
