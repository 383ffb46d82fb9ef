rules.forbid "dark" { on = "deploy", figure = "peons" }
rules.waive "land:ocupied" { on = "deploy" }
