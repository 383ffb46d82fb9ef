-- Rule 1: a completed city of six tiles or more brings whoever scores it some points on top. A number is data: what
-- counts (`count`, usually 1), how much each is worth (`unit`), and when (`where`).
rules.items "large_city" {
  of = "city",
  where = { completed = true, tiles = { min = 6 } },
  unit = rules.options.points,
  say = "large city",
}
