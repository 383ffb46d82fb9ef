-- expect: table index is NaN
return function()
    local t = {}
    t[0 / 0] = 1
end
