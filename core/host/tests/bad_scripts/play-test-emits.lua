rules.forbid "odd" { on = "pay", test = function(c) rules.ask { to = "what" } end }
rules.react "grow" { on = "deployed", emits = { "pay" }, run = function(e)
  rules.emit("pay", { player = 1, points = 1 })
end }
