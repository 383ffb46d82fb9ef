-- expect: unknown name `bit32`
return function()
    bit32.band(1, 2)
end
