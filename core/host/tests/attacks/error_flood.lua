-- expect: ran for more than
return function()
    while true do host.swallow(function() error(('x'):rep(60000)) end) end
end
