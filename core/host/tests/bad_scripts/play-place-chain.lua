rules.react "grow" { on = { "deployed", "placed" }, emits = { "place" }, run = function(e)
  if e.kind == "placed" and e.tile.y ~= 1 then return end
  local x = if e.kind == "placed" then e.tile.x + 1 else e.tile.x
  rules.emit("place", { tile = "straight", at = { x = x, y = 1 } })
end }
