rules.react "grow" { on = "deployed", emits = { "place" }, run = function(e)
  local x = e.tile.x + 1
  rules.emit("place", { tile = "straight", at = { x = x, y = 0 } })
  rules.emit("place", { tile = "end", at = { x = x, y = 0 }, rotation = -2147483648 })
  rules.emit("place", { tile = "end", at = { x = x, y = 0 }, rotation = 4294967296 })
end }
