-- TB-1: symbols in cities; the goods lie before the players.
local goods = { "wine", "grain", "cloth" }
for _, good in ipairs(goods) do
  rules.mark(good, { on = "city" })
  rules.token(good, {})
end

rules.react "collect" { -- TB-2: for whoever placed the completing tile
  on = "completed",
  where = { feature = { kind = "city", mark = goods } },
  emits = { "put" },
  run = function(e)
    for _, good in ipairs(goods) do
      local count = e.feature:marks(good)
      if count > 0 then
        rules.emit("put", { token = good, to = rules.player, amount = count })
      end
    end
  end,
}

rules.award "trade_goods" { -- TB-3: 10 for most of each; all of those who tie
  at = "final",
  each = "player",
  items = function(player, out)
    for _, good in ipairs(goods) do
      local most = 0
      for other = 1, rules.players do
        most = math.max(most, rules.count(good, other))
      end
      if most > 0 and rules.count(good, player) == most then
        out:add(good, 1, 10)
      end
    end
  end,
}
