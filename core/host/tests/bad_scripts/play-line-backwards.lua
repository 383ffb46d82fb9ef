rules.react "look" { on = "deployed", run = function(e) for _ in e.tile:in_line(-1) do end end }
