local kept = {}
rules.react "keep" { on = "placed", run = function(e) table.insert(kept, e.tile) end }
rules.react "use" { on = "deployed", run = function(e) return kept[1].x end }
