-- expect: ok
return function()
    return ('a'):rep(4096):match(('(a'):rep(32) .. (')'):rep(32))
end
