-- PH: one follower more each, never in a garden; deployed like any other, or after the action of the turn as a second figure.
rules.figure "phantom" { per_player = 1, seats = { "road", "city", "monastery", "field" } }
local acted = rules.query "acted" { part = { deployed = { cause = "action", owner = "own" } } }
rules.step "phantom" { after = "action", figure = "phantom", where = acted }

-- Other actions it may follow; a knight sent away by a princess (PD-10) is none of them.
rules.when("abbot", function()
  rules.extend "acted" { part = { scored = { cause = "recalled" } } }
end)
rules.when("faerie", function()
  rules.extend "acted" { part = { appeared = { figure = "faerie:faerie" } } }
end)
rules.when("festival", function()
  rules.extend "acted" { part = { returned = { cause = "festival" } } }
end)
rules.when("tower", function()
  rules.extend "acted" { part = { tokens = true } }
end)
