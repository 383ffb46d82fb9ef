rules.react "poison" { on = "deployed", run = function()
  rules.emit = nil
end }
