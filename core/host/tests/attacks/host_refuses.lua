-- expect: an error occurred when formatting
return function()
    host.refuse()
end
