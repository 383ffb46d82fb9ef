-- expect: readonly
setmetatable(string, { __index = function() return 'poison' end })
