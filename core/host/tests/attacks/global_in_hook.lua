-- expect: globals are not allowed: declare state with rules.state (assigning `counter`)
return function()
    counter = 1
end
