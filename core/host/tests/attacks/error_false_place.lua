-- expect: scripts/attacker/error_false_place.lua:3: scripts/
return function()
    error('scripts/other/rules.lua:99: lie')
end
