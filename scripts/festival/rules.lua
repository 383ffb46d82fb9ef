rules.mark "festival" { on = "tile" }

rules.offer "festival" { -- FE: instead of a deployment, one figure of one's own comes back
  where = { placed = { mark = "festival" } },
  options = { figures = { owner = "own", class = rules.options.who == "follower" and "follower" or { "follower", "special" } } },
  does = "return",
  cause = "festival",
  causes = { "festival" },
}
