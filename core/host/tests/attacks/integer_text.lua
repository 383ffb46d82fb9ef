-- expect: expected an integer, found a string
return function()
    host.integer('3')
end
