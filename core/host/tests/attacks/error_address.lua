-- expect: table
return function()
    error({})
end
