-- expect: from tostring
return function()
    error(setmetatable({}, { __tostring = function() error('from tostring') end }))
end
