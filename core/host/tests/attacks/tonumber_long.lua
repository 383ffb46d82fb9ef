-- expect: ok
return function()
    local digits = ('1'):rep(60000)
    assert(tonumber(digits) == nil and tonumber('12') == 12 and tonumber('ff', 16) == 255)
end
