rules.react "ask" { on = "deployed", run = function() rules.ask { to = "ask", data = { 1, 2, 3, 4, 5 } } end }
rules.resolve "ask" { options = { words = { "yes", "no" } }, run = function() end }
