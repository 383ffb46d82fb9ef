rules.mark "a lamp" { on = "path" }
rules.figure "peon; pass" { seats = { "path" } }
rules.figure "" { seats = { "path" } }
rules.forbid "land:occupied" { on = "place" }
rules.items "tagged" { of = "path", tag = "\27[2J" }
rules.step "caused" { causes = { "x\nB: pass" }, run = function() end }
rules.extend "land:path" { seats = { ["on top"] = { role = "a b" } } }
