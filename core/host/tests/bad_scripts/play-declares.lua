rules.react "grow" { on = "deployed", run = function(e) rules.mark "lamp" { on = "path" } end }
