-- expect: unknown name `load`
return function()
    load('return 1')()
end
