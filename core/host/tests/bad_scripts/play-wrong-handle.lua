rules.react "grow" { on = "deployed", emits = { "return" }, run = function(e)
  rules.emit("return", { figure = e.feature })
end }
