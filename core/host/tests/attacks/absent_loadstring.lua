-- expect: unknown name `loadstring`
return function()
    loadstring('return 1')()
end
