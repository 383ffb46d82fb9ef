local later = rules.forbid "dark"
rules.mark "lamp" { on = "path" }
