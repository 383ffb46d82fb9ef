rules.react "free" { on = "deployed", run = function() rules.ask { to = "again" } end }
rules.resolve "again" { options = { words = { "only" } }, run = function() rules.ask { to = "again" } end }
