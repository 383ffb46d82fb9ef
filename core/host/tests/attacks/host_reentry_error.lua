-- expect: scripts/attacker/host_reentry_error.lua:3: inner
return function()
    host.call(function() error('inner') end)
end
