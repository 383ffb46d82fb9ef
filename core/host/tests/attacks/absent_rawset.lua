-- expect: unknown name `rawset`
return function()
    rawset(string, 'rep', nil)
end
