-- expect: ok
return function()
    local t = {}
    t[2 ^ 53] = 1
    t[-2 ^ 31] = 1
    assert(#t == 0)
end
