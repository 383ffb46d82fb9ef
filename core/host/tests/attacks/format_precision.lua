-- expect: width or precision too long
return function()
    return string.format('%.99999f', 1)
end
