-- expect: not in the list
return function()
    table.insert({}, 1e12, 1)
end
