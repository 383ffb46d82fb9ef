rules.react "grow" { on = { "placed", [4] = "completed" }, run = function() end }
