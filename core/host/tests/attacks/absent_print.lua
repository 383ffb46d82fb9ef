-- expect: unknown name `print`
return function()
    print('flood')
end
