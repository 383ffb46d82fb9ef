-- expect: expected an integer, found 9007199254740994
return function()
    host.integer(2 ^ 53 + 2)
end
