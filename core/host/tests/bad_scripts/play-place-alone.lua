rules.react "grow" { on = "deployed", emits = { "place" }, run = function()
  rules.emit("place", { tile = "straight", at = { x = 4000, y = 4000 } })
end }
