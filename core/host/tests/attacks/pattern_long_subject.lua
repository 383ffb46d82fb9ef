-- expect: longer than 4096 bytes
return function()
    return ('a'):rep(60000):find('.-b')
end
