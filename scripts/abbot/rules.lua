-- AB-1, AB-2, AB-4: one each, on monasteries and gardens; gardens are for abbots only.
rules.feature "garden" { closes = "around", seats = { garden = { role = "gardener" } } }
rules.items "garden_tiles" { of = "garden", count = "around", tag = "around", say = "tiles" }
rules.figure "abbot" { per_player = rules.options.per_player, seats = { "monastery", "garden" } }

rules.offer "recall" { -- AB-3: instead of a deployment, from what is not complete; worth what it is now
  options = { figures = { figure = "abbot", owner = "own", feature = { open = true } } },
  emits = { "score" },
  causes = { "recalled" },
  run = function(abbot)
    rules.emit("score", { feature = abbot.feature, cause = "recalled" })
  end,
}
