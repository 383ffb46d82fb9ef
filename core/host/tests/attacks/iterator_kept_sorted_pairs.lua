-- expect: sorted_pairs: this iterator is of an earlier call
local entry = sorted_pairs({ a = 1, b = 2 })
assert(entry() == "a")
return function() return entry() end
