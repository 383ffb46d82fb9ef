-- expect: unknown name `buffer`
return function()
    buffer.create(1e9)
end
