-- expect: error in error handling
return function()
    local function deeper() return host.raw_call(deeper) end
    deeper()
end
