-- expect: ran for more than 1000000 ticks
return function()
    return ('a'):rep(4000):find('.-.-.-b')
end
