-- expect: gmatch: this iterator is of an earlier call
local letter = ("abc"):gmatch(".")
assert(letter() == "a")
return function() return letter() end
