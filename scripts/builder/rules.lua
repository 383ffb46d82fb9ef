-- TB-4, TB-7, TB-9: one each, beside a follower of one's own, never scoring.
rules.figure "builder" { per_player = 1, class = rules.options.class, strength = 0, seats = { "road", "city" } }

rules.forbid "no_follower" {
  on = "deploy",
  figure = "builder",
  unless = { feature = { has = { class = "follower", owner = "own" } } },
  say = "no follower of your own is here",
}
rules.forbid "finished" { on = "deploy", figure = "builder", where = { feature = { closed = true } }, say = "this feature is finished" }

-- TB-5, TB-12: the builder that stands there when the tile is laid earns one further part in the turn.
rules.step "second_part" {
  after = "after_place",
  where = { part = { extended = { feature = { has = { figure = "builder", owner = "own" } } } } },
  emits = { "queue" },
  run = function()
    rules.emit("queue", { amount = 1 })
  end,
}

if rules.options.alone == "returns" then
  local companion = rules.query "companion" { class = "follower" }
  rules.react "alone" { -- TB-8
    on = "changed",
    by = "left",
    where = { feature = { has = { figure = "builder" } } },
    emits = { "return" },
    causes = { "alone" },
    run = function(e)
      local with = {}
      for follower in e.feature:figures(companion) do
        with[follower.owner] = true
      end
      for builder in e.feature:figures "mine" do
        if not with[builder.owner] then
          rules.emit("return", { figure = builder, cause = "alone" })
        end
      end
    end,
  }
  rules.query "mine" { figure = "builder" }
end
