rules.mark "lamp" { on = "town" }
rules.react "light" { on = "deployed", emits = { "mark" }, run = function(e)
  rules.emit("mark", { feature = e.feature, mark = "lamp" })
end }
