-- expect: ok
return function()
    local t = {}
    assert(`{t}` == 'table' and `{type}` == 'function')
end
