-- expect: unknown name `setfenv`
return function()
    setfenv(1, {})
end
