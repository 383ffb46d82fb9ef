-- expect: ok
local a = {}
for _ = 1, 100000 do a = { a } end
return a
