-- expect: stack overflow
return function()
    local function deeper(n) return 1 + deeper(n + 1) end
    return deeper(1)
end
