-- expect: ran for more than 1000000 ticks
return function()
    local trap = setmetatable({}, { __newindex = function() while true do end end })
    trap.field = 1
end
