-- TB-7, TB-10: one each, beside a farmer of one's own.
rules.figure "pig" { per_player = 1, class = rules.options.class, strength = 0, seats = { "field" } }
rules.forbid "no_farmer" {
  on = "deploy",
  figure = "pig",
  unless = { feature = { has = { role = "farmer", owner = "own" } } },
  say = "no farmer of your own is on this field",
}

-- TB-10: 1 more for each city, for its owner only.
rules.rate "pig" { of = "field", where = { has = { figure = "pig", owner = "own" } }, tag = "per_city", plus = 1 }

if rules.options.alone == "returns" then
  local companion = rules.query "companion" { class = "follower" }
  rules.react "alone" { -- TB-8
    on = "changed",
    by = "left",
    where = { feature = { has = { figure = "pig" } } },
    emits = { "return" },
    causes = { "alone" },
    run = function(e)
      local with = {}
      for follower in e.feature:figures(companion) do
        with[follower.owner] = true
      end
      for pig in e.feature:figures "mine" do
        if not with[pig.owner] then
          rules.emit("return", { figure = pig, cause = "alone" })
        end
      end
    end,
  }
  rules.query "mine" { figure = "pig" }
end
