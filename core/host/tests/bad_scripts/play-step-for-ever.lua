rules.step "again" { emits = { "queue" }, run = function() rules.emit("queue", { step = "again" }) end }
rules.react "first" { on = "deployed", emits = { "queue" }, run = function()
  rules.emit("queue", { step = "again" })
end }
