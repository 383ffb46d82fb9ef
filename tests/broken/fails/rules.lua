-- Whatever completes a city asks a handle for something that it does not have.
rules.react "fails" {
  on = "completed",
  where = { feature = { kind = "city" } },
  emits = { "pay" },
  run = function(e)
    rules.emit("pay", { player = e.player, points = e.feature.nothing.at_all, feature = e.feature, cause = "completed" })
  end,
}
