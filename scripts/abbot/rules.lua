-- AB-1, AB-2, AB-4: one each, on monasteries and gardens; gardens are for abbots only.
rules.feature "garden" { closes = "around", seats = { garden = { role = "gardener" } } }
rules.items "garden_tiles" { of = "garden", count = "around", tag = "around", say = "tiles" }
rules.figure "abbot" { per_player = 1, seats = { "monastery", "garden" } }

rules.offer "recall" { -- AB-3: instead of a deployment; worth what it is now
  options = { figures = { figure = "abbot", owner = "own" } },
  emits = { "score" },
  causes = { "recalled" },
  run = function(abbot)
    rules.emit("score", { feature = abbot.feature, cause = "recalled" })
  end,
}
