-- expect: expected an integer, found inf
return function()
    host.integer(math.huge)
end
