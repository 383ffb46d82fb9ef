-- TK-1: everyone has one keeper. He is no follower: he claims nothing and counts for no majority.
-- TK-4: he stays when his road is scored; nothing but a dragon takes him off the board.
rules.figure "toll-keeper" {
  per_player = 1,
  class = "special",
  seats = { "road" },
  leaves = { "eaten" },
}

-- TK-2: where followers stand is nothing to him, so an occupied road is open to him; a road has one keeper.
rules.forbid "one_keeper" {
  on = "deploy",
  figure = "toll-keeper",
  where = { feature = { has = { figure = "toll-keeper" } } },
  say = "a toll keeper collects here already",
}

-- TK-3: when another player gets points for the road, its keeper earns for every tile of it.
local scored = { "completed" }
if rules.options.at_the_end then -- TK-5
  scored = { "completed", "final" }
end
local collecting = rules.query "collecting" { figure = "toll-keeper", owner = "other" }

rules.react "toll" {
  on = "paid",
  cause = scored,
  where = { feature = { kind = "road", has = collecting } },
  emits = { "pay" },
  causes = { "toll" },
  run = function(e)
    if e.amount <= 0 then
      return
    end
    for keeper in e.feature:figures(collecting) do
      local points = e.feature.tiles * rules.options.toll
      rules.emit("pay", { player = keeper.owner, points = points, feature = e.feature, cause = "toll" })
    end
  end,
  say = "toll",
}
