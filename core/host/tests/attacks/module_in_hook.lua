-- expect: at the top level only
return function()
    return require './list'
end
