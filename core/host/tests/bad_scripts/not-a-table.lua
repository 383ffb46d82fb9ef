rules.forbid "dark" ("deploy")
