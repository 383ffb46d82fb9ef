rules.forbid "sly" { on = "pay", test = function(case) case.player = 2 end, say = "never" }
rules.react "grow" { on = "deployed", emits = { "pay" }, run = function()
  rules.emit("pay", { player = 1, points = 1 })
end }
