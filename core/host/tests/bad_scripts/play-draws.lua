rules.react "draw" { on = "deployed", emits = { "draw" }, run = function() rules.emit("draw", {}) end }
