-- expect: no fixed order
return function()
    for _ in pairs({ [type] = 1 }) do end
end
