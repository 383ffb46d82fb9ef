rules.figure "crowd" { per_player = 51 }
rules.neutral "walker" { walk = { steps = 101 } }
rules.items "much" { of = "path", unit = 9007199254740992 }
rules.token "coin" { per_player = { 3, "x" } }
rules.resolve "number" { options = { from = 1, to = 100000 }, run = function() end }
