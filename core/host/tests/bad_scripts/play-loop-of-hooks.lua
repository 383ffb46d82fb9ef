rules.react "grow" { on = { "deployed", "paid" }, emits = { "pay" }, run = function(e)
  rules.emit("pay", { player = 1, points = 1 })
end }
