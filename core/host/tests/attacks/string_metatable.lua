-- expect: attempt to index boolean
return function()
    getmetatable('').__index = function() return 'poison' end
end
