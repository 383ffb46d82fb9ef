-- expect: scripts/attacker/syntax.lua:2:
return function( end
