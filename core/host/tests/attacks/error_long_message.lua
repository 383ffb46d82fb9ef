-- expect: ...
return function()
    error(('x'):rep(65536))
end
