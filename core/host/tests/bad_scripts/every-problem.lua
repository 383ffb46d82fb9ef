rules.figure "miller" { per_player = 1, seats = { "path" }, class = "folower" }
rules.frobid "no" { on = "deploy" }
rules.mark(7)
rules.mark "wheel" { on = 0.5 }
rules.forbid "far" { on = "deplyo", figure = "miller", say = "too far" }
rules.forbid "still" { on = "deploy", where = { feature = { mark = "wheel" } }, say = "it stands still" }
local none = nil
none.water = 1
rules.mark "water" { no = "path" }
