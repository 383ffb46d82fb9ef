-- expect: ran for more than 1000000 ticks
return function()
    local endless = setmetatable({}, { __iter = function() return function() return 1 end end })
    for _ in endless do end
end
