-- expect: ran for more than 1000000 ticks
return function()
    setmetatable({}, { __call = function() while true do end end })()
end
