rules.forbid "odd" { on = "pay", test = function(c) return c.amount end }
rules.react "grow" { on = "deployed", emits = { "pay" }, run = function(e)
  rules.emit("pay", { player = 1, points = 1 })
end }
