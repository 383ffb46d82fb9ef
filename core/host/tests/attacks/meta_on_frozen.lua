-- expect: readonly
return function()
    setmetatable(table.freeze({}), { __newindex = function() end })
end
