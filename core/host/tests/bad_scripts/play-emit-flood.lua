rules.react "flood" { on = "deployed", emits = { "pay" }, run = function()
  for n = 1, 20000 do rules.emit("pay", { player = 1, points = n }) end
end }
