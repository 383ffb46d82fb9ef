-- expect: the engine failed: a bug below the script
return function()
    host.call(function() host.raw_call(host.panic) end)
end
