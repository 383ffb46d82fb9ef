-- expect: returned a table
return function()
    error(setmetatable({}, { __tostring = function() return {} end }))
end
