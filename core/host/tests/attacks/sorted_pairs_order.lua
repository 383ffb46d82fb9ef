-- expect: ok
return function()
    local seen = {}
    for key, value in sorted_pairs({ b = 1, a = 2, [10] = 3, [2] = 4, [true] = 5 }) do seen[#seen + 1] = `{key}={value}` end
    assert(table.concat(seen, ' ') == 'true=5 2=4 10=3 a=2 b=1')
end
