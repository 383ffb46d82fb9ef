-- expect: ok
return function()
    assert(math.pi == nil and math.huge > 1)
end
