-- expect: unknown name `counter`
return function()
    counter += 1
end
