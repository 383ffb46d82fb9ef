-- expect: ok
return function()
    assert(string.format('%s %*', {}, type) == 'table function' )
end
