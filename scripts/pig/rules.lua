-- TB-10: one each, beside a farmer of one's own.
rules.figure "pig" { per_player = rules.options.per_player, class = rules.options.class, strength = 0, seats = { "field" } }
if rules.options.class == "follower" then -- TB-7: by older rules a follower; it joins one all the same
  rules.waive "base:occupied" { on = "deploy", figure = "pig" }
end

rules.forbid "no_farmer" {
  on = "deploy",
  figure = "pig",
  unless = { feature = { has = { role = "farmer", owner = "own" } } },
  say = "no farmer of your own is on this field",
}
rules.rate "pig" { of = "field", where = { has = { figure = "pig", owner = "own" } }, tag = "per_city", plus = 1 } -- TB-10: for its owner only

if rules.options.alone == "returns" then
  local companions = rules.query "companions" { class = "follower", none = { figure = "pig" } }
  local pigs = rules.query "pigs" { figure = "pig" }
  rules.react "alone" { -- TB-8
    on = "changed",
    by = "left",
    where = { feature = { has = { figure = "pig" } } },
    emits = { "return" },
    causes = { "alone" },
    run = function(e)
      local with = {}
      for follower in e.feature:figures(companions) do
        with[follower.owner] = true
      end
      for pig in e.feature:figures(pigs) do
        if not with[pig.owner] then
          rules.emit("return", { figure = pig, cause = "alone" })
        end
      end
    end,
  }
end
