-- expect: unknown name `vector`
return function()
    vector.create(1, 2, 3)
end
