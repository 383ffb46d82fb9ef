-- expect: ran for more than 1000000 ticks
return function()
    return (('abc'):gsub('.', function() while true do end end))
end
