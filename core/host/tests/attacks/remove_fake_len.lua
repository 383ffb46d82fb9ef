-- expect: ok
return function()
    local list = setmetatable({}, { __len = function() return 1e15 end })
    assert(table.remove(list, 1) == nil)
end
