-- expect: table
return function()
    assert(false, {})
end
