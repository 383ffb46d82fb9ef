-- Each payment pays the same player once more, so no decision comes to an end.
rules.react "again" {
  on = "paid",
  emits = { "pay" },
  run = function(e)
    rules.emit("pay", { player = e.player, points = 1, cause = "again" })
  end,
  causes = { "again" },
}
