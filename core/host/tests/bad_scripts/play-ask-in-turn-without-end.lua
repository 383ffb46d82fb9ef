rules.react "first" { on = { "deployed", "paid" }, emits = { "pay" }, run = function()
  rules.emit("pay", { player = 1, points = 1 })
  rules.ask { to = "first" }
end }
rules.resolve "first" { options = { words = { "yes", "no" } }, run = function() end }
