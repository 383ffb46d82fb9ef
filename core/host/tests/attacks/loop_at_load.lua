-- expect: ran for more than 1000000 ticks
while true do end
