-- expect: stack overflow
return function()
    local function deeper() return (('a'):gsub('a', deeper)) end
    return deeper()
end
