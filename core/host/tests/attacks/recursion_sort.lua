-- expect: stack overflow
return function()
    local function deeper() table.sort({ 2, 1 }, deeper) return true end
    deeper()
end
