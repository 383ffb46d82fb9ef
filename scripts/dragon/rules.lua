rules.mark "volcano" { on = "tile" }
rules.mark "dragon" { on = "tile" }
rules.neutral "dragon" { walk = { steps = 6, rounds = true } } -- PD-5, PD-6, PD-7

rules.react "wake" { -- PD-2
  on = "placed",
  where = { tile = { mark = "volcano" } },
  emits = { "appear" },
  run = function(e)
    rules.emit("appear", { neutral = "dragon", to = e.tile })
  end,
}

rules.forbid "dragon_here" { -- PD-2: a figure on a corner lies on four tiles and is none of its business
  on = "deploy",
  where = { tile = { has = { figure = "dragon" } }, corner = false },
  say = "the dragon is on this tile",
}

rules.forbid "too_early" { on = "draw", where = { tile = { mark = "dragon" }, asleep = "dragon" }, say = "no volcano yet" } -- PD-3

rules.step "dragon" { -- PD-4, PD-9
  after = rules.options.timing == "before_scoring" and "after_action" or "after_score",
  where = { placed = { mark = "dragon" }, awake = "dragon" },
  emits = { "queue" },
  run = function()
    rules.emit("queue", { neutral = "dragon" })
  end,
}

-- PD-8: always declared, so that the rules of a figure can lift it.
local spared = rules.query "spared" { any = rules.options.eats_special and {} or { { class = "special" } } }
rules.forbid "not_eaten" { on = "eat", where = spared, say = "the dragon does not eat special figures" }

rules.when("tower", function() -- PD-2: tower actions are allowed
  rules.waive "dragon_here" { seat = "tower:top" }
end)
