-- expect: unknown name `collectgarbage`
return function()
    collectgarbage('stop')
end
