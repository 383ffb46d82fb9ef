-- expect: must be a whole number
return function()
    return ('x'):rep(math.huge)
end
