rules.react "ask" { on = "deployed", run = function() rules.ask { to = "ask", who = 3 } end }
rules.resolve "ask" { options = { words = { "yes", "no" } }, run = function() end }
