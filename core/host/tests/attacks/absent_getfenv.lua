-- expect: unknown name `getfenv`
return function()
    getfenv(0).poison = 1
end
