-- expect: ran for more than 1000000 ticks
return function()
    return tostring(setmetatable({}, { __tostring = function() while true do end end }))
end
