rules.react "grow" { on = "deployed", emits = { "place" }, run = function(e)
  rules.emit("place", { tile = "strait", at = { x = 5, y = 0 } })
end }
