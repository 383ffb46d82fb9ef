-- expect: bytes of memory
return function()
    local list, n = {}, 0
    while true do n += 1 list[n] = { host.echo({}, ('a'):rep(500) .. n) } host.swallow(function() error('x' .. n) end) end
end
