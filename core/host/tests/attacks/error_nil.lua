-- expect: nil
return function()
    error(nil)
end
