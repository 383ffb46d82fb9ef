rules.react "poison" { on = "deployed", run = function()
  table.insert(rules, 1)
end }
