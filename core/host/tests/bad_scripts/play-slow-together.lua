rules.react "slow" { on = "deployed", emits = { "queue" }, run = function()
  for n = 1, 200 do rules.emit("queue", { step = "burn", amount = n }) end
end }
rules.step "burn" { run = function() for _ = 1, 900000 do end end }
