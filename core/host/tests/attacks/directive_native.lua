-- expect: compiler directives
--[[ ]] --!native
local x = 1
