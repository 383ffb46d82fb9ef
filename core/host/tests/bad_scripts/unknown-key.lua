rules.forbid "dark" { on = "deploy", were = { feature = "path" } }
rules.items "lamps" { of = "path", count = { mark = "lamp" }, where = { feature = { opn = true } } }
rules.mark "lamp" { on = "path" }
