-- TB-4, TB-9: one each, beside a follower of one's own; it counts nothing and returns with the others.
rules.figure "builder" { per_player = rules.options.per_player, class = rules.options.class, strength = 0, seats = { "road", "city" } }
if rules.options.class == "follower" then -- TB-7: by older rules a follower; it joins one all the same
  rules.waive "base:occupied" { on = "deploy", figure = "builder" }
end

rules.forbid "no_follower" { -- TB-4, TB-14: whatever follower it is
  on = "deploy",
  figure = "builder",
  unless = { feature = { has = { class = "follower", owner = "own" } } },
  say = "no follower of your own is here",
}
rules.forbid "finished" { on = "deploy", figure = "builder", where = { feature = { closed = true } }, say = "this feature is finished" } -- TB-4

-- TB-5, TB-12: the builder that stands there when the tile is laid earns one further part of the turn; TB-6: after scoring, or at once.
local at_once = rules.options.double_turn == "immediately"
rules.step "second_part" {
  after = at_once and "after_action" or "after_place",
  where = { part = { extended = { feature = { has = { figure = "builder", owner = "own" } } } } },
  unless = { part = { deployed = { figure = "builder" } } },
  emits = { "queue" },
  run = function()
    rules.emit("queue", { amount = 1, now = at_once })
  end,
}

if rules.options.alone == "returns" then
  local companions = rules.query "companions" { class = "follower", none = { figure = "builder" } }
  local builders = rules.query "builders" { figure = "builder" }
  rules.react "alone" { -- TB-8
    on = "changed",
    by = "left",
    where = { feature = { has = { figure = "builder" } } },
    emits = { "return" },
    causes = { "alone" },
    run = function(e)
      local with = {}
      for follower in e.feature:figures(companions) do
        with[follower.owner] = true
      end
      for builder in e.feature:figures(builders) do
        if not with[builder.owner] then
          rules.emit("return", { figure = builder, cause = "alone" })
        end
      end
    end,
  }
end
