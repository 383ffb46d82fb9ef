-- PH: one follower more each; it may be deployed after another figure, on the same tile.
rules.figure "phantom" { per_player = 1, seats = { "road", "city", "monastery", "field" } }
rules.step "phantom" { after = "action", figure = "phantom", where = { part = { deployed = { cause = "action", owner = "own" } } } }
