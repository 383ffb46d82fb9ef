rules.react "grow" { on = { "placed", first = "completed" }, run = function() end }
