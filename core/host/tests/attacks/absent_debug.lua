-- expect: unknown name `debug`
return function()
    debug.info(1, 's')
end
