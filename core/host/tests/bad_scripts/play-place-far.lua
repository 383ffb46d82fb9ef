rules.react "grow" { on = "deployed", emits = { "place" }, run = function()
  rules.emit("place", { tile = "straight", at = { x = 32767, y = -32768 } })
end }
