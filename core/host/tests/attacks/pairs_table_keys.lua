-- expect: no fixed order
return function()
    for _ in pairs({ [{}] = 1 }) do end
end
