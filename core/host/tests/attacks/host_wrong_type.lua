-- expect: bad argument #1
return function()
    host.small({})
end
