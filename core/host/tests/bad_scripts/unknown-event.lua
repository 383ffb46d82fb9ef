rules.react "grow" { on = "place", emits = { "retrun" }, run = function(e) end }
