-- expect: needs a table
return function()
    for _ in pairs('text') do end
end
