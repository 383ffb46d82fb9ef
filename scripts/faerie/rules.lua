rules.neutral "faerie" {}
local beside = rules.options.position == "next_to_follower"

if beside then
  rules.offer "move" { -- PD-12
    options = { figures = { class = "follower", owner = "own", none = { figure = { has = { neutral = "faerie" } } } } },
    does = "appear",
    neutral = "faerie",
  }
else
  rules.offer "move" {
    options = { tiles = { has = { class = "follower", owner = "own" }, lacks = { figure = "faerie" } } },
    does = "appear",
    neutral = "faerie",
  }
end

-- PD-13 and PD-14: beside him alone; with her on a tile, for every figure of the player there (PD-13), for every follower (PD-14).
local near = rules.query "near" { figure = { has = { neutral = "faerie" } } }
if not beside then
  near = rules.query "on_her_tile" { tile = { has = { figure = "faerie" } } }
end
rules.query "ignored" { any = {} } -- others add to it: figures she has nothing to do with
rules.award "faerie_turn" { at = "begin", class = { "follower", "special" }, owner = "active", where = near, none = "ignored", points = 1 }
rules.award "faerie" { at = "score", class = "follower", where = near, none = "ignored", points = 3 }

rules.forbid "protected" { on = "enter", where = { tile = { has = { figure = "faerie" } } }, say = "the faerie is on this tile" } -- PD-6

if not rules.options.after_volcano then
  rules.when("dragon", function() -- PD-18
    rules.forbid "volcano_placed" {
      on = "appear",
      figure = "faerie",
      where = { placed = { mark = "dragon:volcano" } },
      stops = "offers",
      say = "a volcano was placed in this part",
    }
  end)
end
