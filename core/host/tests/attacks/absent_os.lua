-- expect: unknown name `os`
return function()
    os.exit(1)
end
