-- expect: expected an integer, found 0.5
return function()
    host.integer(0.5)
end
