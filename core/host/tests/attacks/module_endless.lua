-- expect: scripts/attacker/endless.lua:1: hook `load` of `attacker` ran for more than
require './endless'
