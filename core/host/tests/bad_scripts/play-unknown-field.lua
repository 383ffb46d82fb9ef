rules.react "grow" { on = "deployed", emits = { "pay" }, run = function(e)
  rules.emit("pay", { player = 1, point = 1 })
end }
