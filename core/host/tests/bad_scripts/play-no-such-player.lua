rules.react "grow" { on = "deployed", run = function(e) return rules.score(3) end }
