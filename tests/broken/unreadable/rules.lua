-- Only loading shows that the verb does not exist.
rules.react "wrong" {
  on = "placed",
  emits = { "levitate" },
  run = function() end,
}
