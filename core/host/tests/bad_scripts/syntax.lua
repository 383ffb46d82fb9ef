local two = 2
rules.mark "lamp" { on = "path"
rules.mark "bell" { on = "path" }
