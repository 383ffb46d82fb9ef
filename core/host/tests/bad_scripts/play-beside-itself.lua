rules.react "grow" { on = "deployed", emits = { "move" }, run = function(e)
  rules.emit("move", { figure = e.figure, to = e.figure })
end }
