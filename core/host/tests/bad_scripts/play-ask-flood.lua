rules.react "flood" { on = "deployed", run = function()
  for _ = 1, 20000 do rules.ask { to = "flood" } end
end }
rules.resolve "flood" { options = { words = { "yes", "no" } }, run = function() end }
