-- expect: ran for more than 1000000 ticks
return function()
    local trap = setmetatable({}, { __index = function() while true do end end })
    return trap.field
end
