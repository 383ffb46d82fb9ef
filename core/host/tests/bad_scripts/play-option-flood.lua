rules.react "ask" { on = "deployed", run = function() rules.ask { to = "number" } end }
rules.resolve "number" { options = function(o) for n = 1, 20000 do o:add(n) end end, run = function() end }
