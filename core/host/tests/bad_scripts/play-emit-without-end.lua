rules.react "pour" { on = "deployed", emits = { "pay" }, run = function()
  while true do rules.emit("pay", { player = 1, points = 1 }) end
end }
