-- expect: attempt to call a nil value
return function()
    return string.dump(function() end)
end
