-- expect: width or precision too long
return function()
    return string.format('%99999d', 1)
end
