-- expect: ok
local a = { name = 'a' }
a.a = a
a[a] = a
return a
