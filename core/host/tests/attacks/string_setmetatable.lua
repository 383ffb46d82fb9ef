-- expect: needs a table
return function()
    setmetatable('', {})
end
