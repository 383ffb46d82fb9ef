rules.react "grow" { on = "deployed", emits = { "place" }, run = function(e)
  rules.emit("place", { tile = "straight", at = { x = 9.5, y = 0 } })
end }
