-- expect: the engine failed: a bug below the script
return function()
    host.panic()
end
