-- expect: unknown name `dofile`
return function()
    dofile('/etc/passwd')
end
