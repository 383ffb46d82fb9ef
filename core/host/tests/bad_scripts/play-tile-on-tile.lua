rules.react "grow" { on = "deployed", emits = { "place" }, run = function(e)
  rules.emit("place", { tile = "straight", at = { x = 0, y = 0 } })
end }
