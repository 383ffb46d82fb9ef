rules.forbid { on = "deploy" }
