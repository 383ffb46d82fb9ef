-- expect: function
return function()
    error(function() end)
end
