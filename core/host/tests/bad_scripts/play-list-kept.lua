local kept = {}
rules.react "keep" { on = "placed", run = function() table.insert(kept, rules.tiles()) end }
rules.react "use" { on = "deployed", run = function() return kept[1]() end }
