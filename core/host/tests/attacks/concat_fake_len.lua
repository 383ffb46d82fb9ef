-- expect: ok
return function()
    local list = setmetatable({}, { __len = function() return 1e15 end })
    assert(table.concat(list) == '')
end
