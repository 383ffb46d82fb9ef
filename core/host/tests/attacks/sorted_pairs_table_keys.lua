-- expect: no fixed order
return function()
    for _ in sorted_pairs({ [{}] = 1 }) do end
end
