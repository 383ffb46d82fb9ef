local kept = {}
rules.react "keep" { on = "placed", run = function(e) kept.tile = e.tile end }
rules.react "use" { on = "deployed", run = function(e) return kept.tile.x end }
