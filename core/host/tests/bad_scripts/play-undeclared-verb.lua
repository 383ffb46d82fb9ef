rules.react "grow" { on = "deployed", emits = { "pay" }, run = function(e)
  rules.emit("pay", { player = 1, points = 1 })
  rules.emit("return", { figure = e.figure })
end }
