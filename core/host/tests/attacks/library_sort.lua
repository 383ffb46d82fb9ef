-- expect: readonly
local list = math
table.move({ 1 }, 1, 1, 1, list)
