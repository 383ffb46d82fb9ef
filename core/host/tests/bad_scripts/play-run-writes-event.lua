rules.react "sly" { on = "deployed", run = function(event) event.kind = "scored" end }
