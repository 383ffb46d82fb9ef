-- expect: out of range
return function()
    host.small(300)
end
