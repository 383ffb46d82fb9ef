rules.mark "portal" { on = "tile" }

-- PD-11: a follower may go to any tile, on a feature that is empty and not finished; of two followers in a part one.
rules.waive "core:not_this_tile" {
  on = "deploy",
  class = "follower",
  where = { placed = { mark = "portal" } },
  unless = { part = { deployed = { none = { tile = { mark = "portal" } } } } },
}
rules.forbid "portal_finished" {
  on = "deploy",
  elsewhere = true,
  where = { placed = { mark = "portal" }, feature = { any = { { completed = true }, { closing = true } } } },
  say = "this feature is finished",
}
rules.forbid "portal_taken" {
  on = "deploy",
  elsewhere = true,
  where = { placed = { mark = "portal" }, feature = { has = { min = 1 } } },
  say = "somebody stands here",
}
