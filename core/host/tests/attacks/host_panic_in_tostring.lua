-- expect: the engine failed: a bug below the script
return function()
    tostring(setmetatable({}, { __tostring = host.panic }))
end
