-- expect: bytes of memory
return function()
    local function grow(...) return grow(1, 2, 3, 4, 5, 6, 7, 8, ...) end
    grow()
end
