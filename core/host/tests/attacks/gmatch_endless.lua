-- expect: ran for more than 1000000 ticks
return function()
    while true do for _ in ('a'):rep(200):gmatch('a-') do end end
end
