-- expect: readonly
return function()
    local list = host
    list.echo = 1
end
