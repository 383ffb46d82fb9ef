rules.react "grow" { on = "placed" }
