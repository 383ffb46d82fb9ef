-- AM-12: on a corner where four tiles meet in one field; it lies on four tiles and stands on none.
rules.extend "field" {
  seats = {
    ["corner-nw"] = { corner = "north-west", claims = false, scores = false },
    ["corner-ne"] = { corner = "north-east", claims = false, scores = false },
    ["corner-se"] = { corner = "south-east", claims = false, scores = false },
    ["corner-sw"] = { corner = "south-west", claims = false, scores = false },
  },
}
rules.figure "barn" { per_player = rules.options.per_player, class = "special", seats = { "corner-nw", "corner-ne", "corner-se", "corner-sw" }, leaves = {} }

local barn_field = rules.query "barn_field" { feature = { kind = "field", has = { figure = "barn" } } }
if not rules.options.on_barn_field then
  rules.forbid "barn_here" { on = "deploy", figure = "barn", where = barn_field, say = "this field has a barn" }
end
rules.forbid "no_farmers" { on = { "deploy", "move" }, class = "follower", where = barn_field, say = "no farmer on a field with a barn" } -- AM-15

-- AM-13, AM-14: farmers beside a barn are scored after the cities that this tile completed, so that those count.
local own_barn = rules.query "own_barn" { figure = "barn", owner = "own" }
local gathers = rules.query "gathers" { kind = "field", has = { figure = "barn" }, none = { lacks = { role = "farmer" } } }

--- Scores the fields of the tile with farmers and a barn, each once.
local function gather(tile, barn, cause)
  local done = {}
  for segment in tile:segments "field" do
    local field = segment.feature
    if not done[field.id] and field:is(gathers) and field:has(barn) then
      done[field.id] = true
      rules.emit("score", { feature = field, cause = cause })
    end
  end
end

rules.step "gather" { -- AM-13
  after = "score",
  where = { part = { deployed = { figure = "barn", feature = { any = { gathers } } } } },
  emits = { "score" },
  causes = { "barn" },
  run = function(s)
    gather(s.tile, own_barn, "barn")
  end,
}

rules.step "gather_joined" { -- AM-14
  after = "score",
  where = { part = { extended = { feature = { any = { gathers } } } } },
  emits = { "score" },
  causes = { "barn_joined" },
  run = function(s)
    gather(s.tile, "any_barn", "barn_joined")
  end,
}
rules.query "any_barn" { figure = "barn" }
rules.rate "barn_joined" { of = "field", where = { why = "barn_joined" }, tag = "per_city", plus = -2 }

rules.award "barn" { -- AM-15
  at = "final",
  figure = "barn",
  once = { "owner", "feature" },
  count = { borders = { kind = "city", completed = true } },
  unit = 4,
  say = "completed cities",
}

rules.when("festival", function()
  rules.extend "barn" { leaves = { "festival" } }
end)
