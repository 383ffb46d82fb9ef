rules.waive "constable:needs_robber" { on = "deploy", figure = "constable" }
rules.waive "core:not_this_tile" { on = "deploy", figure = "constable" }
