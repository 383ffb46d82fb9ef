-- AM-12: on a corner where four tiles meet in one field; it lies on four tiles and stands on none.
rules.extend "field" {
  seats = {
    ["corner-nw"] = { corner = "north-west", claims = false, scores = false },
    ["corner-ne"] = { corner = "north-east", claims = false, scores = false },
    ["corner-se"] = { corner = "south-east", claims = false, scores = false },
    ["corner-sw"] = { corner = "south-west", claims = false, scores = false },
  },
}
rules.figure "barn" { per_player = 1, class = "special", seats = { "corner-nw", "corner-ne", "corner-se", "corner-sw" }, leaves = {} }

local barn_field = rules.query "barn_field" { feature = { kind = "field", has = { figure = "barn" } } }
if not rules.options.on_barn_field then
  rules.forbid "barn_here" { on = "deploy", figure = "barn", where = barn_field, say = "this field has a barn" }
end
rules.forbid "no_farmers" { on = "deploy", class = "follower", where = barn_field, say = "no farmer on a field with a barn" } -- AM-15

rules.react "gather" { -- AM-13: when it comes; AM-14: when farmers come to it
  on = "changed",
  by = { "joined", "arrived" },
  where = { feature = { kind = "field", has = { figure = "barn" } } },
  emits = { "score" },
  causes = { "barn", "barn_joined" },
  run = function(e)
    if e.feature:has "farmers" then
      rules.emit("score", { feature = e.feature, cause = e.by.arrived and "barn" or "barn_joined" })
    end
  end,
}
rules.query "farmers" { role = "farmer" }
rules.rate "barn_joined" { of = "field", where = { why = "barn_joined" }, tag = "per_city", plus = -2 } -- AM-14

rules.award "barn" { -- AM-15
  at = "final",
  figure = "barn",
  once = { "owner", "feature" },
  count = { borders = { kind = "city", completed = true } },
  unit = 4,
}
