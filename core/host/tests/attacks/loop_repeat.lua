-- expect: ran for more than 1000000 ticks
return function()
    repeat until false
end
