-- IC-1, IC-4: one each; it counts 2 for majority and is a follower in everything else.
rules.figure "big-follower" { per_player = rules.options.per_player, strength = 2, seats = { "road", "city", "monastery", "field" } }
