-- expect: ran for more than 1000000 ticks
return function()
    local meta = { __lt = function() while true do end end }
    return setmetatable({}, meta) < setmetatable({}, meta)
end
