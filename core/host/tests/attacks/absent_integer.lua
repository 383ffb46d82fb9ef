-- expect: unknown name `integer`
return function()
    integer.add(1, 2)
end
