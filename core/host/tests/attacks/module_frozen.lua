-- expect: readonly
local list = require './list'
list[3][1] = 4
