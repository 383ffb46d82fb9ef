-- expect: bytes of memory
return function()
    local list = {}
    while true do local n = #list list[n + 1] = function() return n, list end end
end
