-- expect: ran for more than 1000000 ticks
return function()
    for _ in function() return 1 end do end
end
