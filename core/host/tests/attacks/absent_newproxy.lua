-- expect: unknown name `newproxy`
return function()
    newproxy(true)
end
