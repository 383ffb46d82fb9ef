-- expect: expected an integer, found NaN
return function()
    host.integer(0 / 0)
end
