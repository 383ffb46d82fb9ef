-- Whoever answers is asked again.
rules.resolve "again" {
  options = { words = { "yes", "no" } },
  run = function()
    rules.ask { to = "again" }
  end,
}
rules.react "begin" {
  on = "completed",
  where = { feature = { kind = "road" } },
  run = function()
    rules.ask { to = "again" }
  end,
}
