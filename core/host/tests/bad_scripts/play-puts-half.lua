rules.token "coin" {}
rules.react "put" { on = "deployed", emits = { "put" }, run = function()
  rules.emit("put", { token = "coin", amount = 4294967296, to = 1 })
end }
