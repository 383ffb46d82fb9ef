rules.react "move" { on = { "deployed", "moved" }, emits = { "move" }, run = function(e)
  for segment in e.tile:segments() do rules.emit("move", { figure = e.figure, to = segment }) end
end }
