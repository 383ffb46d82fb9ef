-- expect: the engine failed: a bug below the script
return function()
    table.sort({ 2, 1 }, host.panic)
end
