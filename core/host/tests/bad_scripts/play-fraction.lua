rules.react "grow" { on = "deployed", emits = { "pay" }, run = function(e)
  rules.emit("pay", { player = 1, points = e.feature.tiles / 4 })
end }
