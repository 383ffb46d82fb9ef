rules.react "nag" { on = "deployed", run = function()
  while true do rules.ask { to = "nag" } end
end }
rules.resolve "nag" { options = { words = { "yes", "no" } }, run = function() end }
