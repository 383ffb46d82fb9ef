-- expect: bytes of memory
return function()
    local list = {}
    while true do list[#list + 1] = { host.echo(('x'):rep(1000) .. #list, {}, {}, {}, {}, {}, {}, {}, {}, {}) } end
end
