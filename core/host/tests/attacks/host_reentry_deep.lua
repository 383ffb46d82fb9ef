-- expect: calls of hooks within each other
return function()
    local function deeper() return host.call(deeper) end
    deeper()
end
