-- expect: unknown name `coroutine`
return function()
    coroutine.wrap(function() while true do end end)()
end
