-- PH: one follower more each; it may be deployed after another figure's action, on the same tile.
rules.figure "phantom" { per_player = rules.options.per_player, seats = { "road", "city", "monastery", "field" } }
rules.step "phantom" { after = "action", figure = "phantom", where = { part = { acted = true } }, unless = "barred" }

rules.query "barred" { any = {} } -- others add to it: actions after which nothing more is deployed
rules.when("princess", function() -- PD-10
  rules.extend "barred" { part = { returned = { cause = "princess" } } }
end)
