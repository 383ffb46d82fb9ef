-- expect: ok
return function()
    assert(host.integer(-2 ^ 53) == -2 ^ 53 and host.integer(6 / 2) == 3)
end
