rules.mark "festival" { on = "tile" }
local figures = rules.options.who == "figure"

rules.offer "festival" { -- FE: instead of a deployment, one figure of one's own comes back
  where = { placed = { mark = "festival" } },
  options = { figures = { owner = "own", class = figures and { "follower", "special" } or "follower" } },
  does = "return",
  cause = "festival",
  causes = { "festival" },
}

if figures then
  rules.when("barn", function() -- the matrix: a barn comes back too
    rules.extend "barn:barn" { leaves = { "festival" } }
  end)
end
