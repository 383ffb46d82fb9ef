rules.react "grow" { on = "deployed", emits = { "pay" }, run = function(e) rules.emit("pey", { points = 1 }) end }
