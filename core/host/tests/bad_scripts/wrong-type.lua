rules.figure "miller" { per_player = "two", seats = "path" }
rules.forbid "dark" { on = "deploy", where = "path", test = true }
