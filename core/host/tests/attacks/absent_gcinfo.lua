-- expect: unknown name `gcinfo`
return function()
    gcinfo()
end
