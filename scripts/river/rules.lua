-- R-3, R-4: a river is a feature without seats; it parts the fields beside it and never completes.
rules.edge "river" {}
rules.feature "river" { closes = "never", seats = {} }

-- R-2: as long as the river runs, it is what goes on. Its pile is used up before all others (R-1).
rules.forbid "river_goes_on" {
  on = "place",
  where = { tile = { edge = "river" } },
  unless = { joins = "river" },
  say = "the river must go on",
}
