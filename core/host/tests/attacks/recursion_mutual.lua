-- expect: stack overflow
return function()
    local even, odd
    function even(n) return not odd(n + 1) end
    function odd(n) return not even(n + 1) end
    return even(1)
end
