-- expect: unknown name `typeof`
return function()
    typeof(1)
end
