rules.mark "lamp" { on = "path" }

rules.mark "lamp" { on = "town" }
