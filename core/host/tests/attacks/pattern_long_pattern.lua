-- expect: longer than 256 bytes
return function()
    return ('a'):find(('a?'):rep(1000))
end
