-- expect: scripts/attacker/bytecode.lua:
local chunk = '\27LuaQ'

