rules.mark "lamp" { on = "path" }
rules.forbit "dark" { on = "deploy" }
