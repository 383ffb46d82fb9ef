-- At the end, each follower on a field is worth a number that is not whole.
rules.award "late" {
  at = "final",
  figure = { class = "follower", seat = "field" },
  to = "owner",
  items = function(_, out)
    out:add("halves", 1, 1 / 2)
  end,
}
