-- expect: high
return function()
    error('high', 1e9)
end
