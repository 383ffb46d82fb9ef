-- expect: scripts/attacker/broken.lua:1:
require './broken'
