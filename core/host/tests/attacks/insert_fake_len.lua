-- expect: ok
return function()
    local list = setmetatable({}, { __len = function() return 1e12 end })
    table.insert(list, 1)
    assert(rawlen(list) == 1)
end
