-- expect: longer than 4096 bytes
return function()
    return table.concat({ 1, 2 }, ('x'):rep(60000))
end
