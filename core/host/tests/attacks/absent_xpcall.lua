-- expect: unknown name `xpcall`
return function()
    xpcall(error, function() while true do end end)
end
