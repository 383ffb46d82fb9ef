-- expect: ran for more than 1000000 ticks
return function()
    return #setmetatable({}, { __len = function() while true do end end })
end
