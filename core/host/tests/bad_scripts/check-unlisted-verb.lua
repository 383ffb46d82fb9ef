rules.react "grow" { on = "deployed", emits = { "pay" }, run = function(e)
  rules.emit("pay", { player = 1, points = 1 })
  if e.player == 2 then rules.emit("return", { figure = e.figure }) end
end }
