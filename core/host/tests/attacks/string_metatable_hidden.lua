-- expect: ok
return function()
    assert(getmetatable('') == false)
end
