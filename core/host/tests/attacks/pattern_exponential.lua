-- expect: ran for more than
return function()
    return ('a'):rep(30):find(('a*'):rep(30) .. 'b')
end
