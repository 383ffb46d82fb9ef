rules.react "first" { on = "deployed", emits = { "score" }, run = function(e)
  rules.emit("score", { feature = e.figure.feature })
end }
rules.react "again" { on = "scored", emits = { "score" }, run = function(e)
  rules.emit("score", { feature = e.feature })
end }
