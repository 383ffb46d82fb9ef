-- expect: ran for more than 1000000 ticks
return function()
    local function all(...) while true do local _ = select(-1, ...) end end
    all(1, 2, 3)
end
