rules.react "grow" { on = "deployed", run = function(e) return e.feature.marks("lamp") end }
