-- expect: ran for more than
return function()
    local function deeper() host.swallow(deeper) host.swallow(deeper) end
    deeper()
end
