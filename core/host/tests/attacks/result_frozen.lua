-- expect: readonly
local shared = { 1, { 2 } }
local list = require './list'
host.raw_call(function() list[1] = 2 end)
return shared
