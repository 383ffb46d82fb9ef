-- AM-8: in cities only; as strong as the city has pennants.
rules.figure "mayor" { per_player = rules.options.per_player, strength = 0, seats = { "city" } }
rules.items "mayor" { of = "strength", figure = "mayor", count = { mark = "pennant" }, unit = 1 }
