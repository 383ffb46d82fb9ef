-- expect: unknown name `io`
return function()
    io.open('/etc/passwd')
end
