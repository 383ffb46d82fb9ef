-- KR-1, KR-2, KR-5: the first completed city, then only a strictly larger one. KR-6: tiles count.
rules.token "record" {}
rules.token "crown" {}
rules.query "ignored" { any = {} } -- others add to it

rules.react "crown" { -- KR-3: for whoever placed the tile; of several, the largest
  on = "completed",
  where = { feature = { kind = "city" }, none = "ignored" },
  each = false,
  emits = { "put" },
  run = function(e)
    local record, best = rules.count "record", 0
    for event in e:all() do
      if not event.feature:is "ignored" then
        best = math.max(best, event.feature.tiles)
      end
    end
    if best <= record then
      return
    end
    rules.emit("put", { token = "record", amount = best - record })
    for player = 1, rules.players do
      local held = rules.count("crown", player)
      local due = player == rules.player and 1 or 0
      if held ~= due then
        rules.emit("put", { token = "crown", to = player, amount = due - held })
      end
    end
  end,
}

rules.award "king" { -- KR-4
  at = "final",
  each = "player",
  where = { holds = { crown = { min = 1 } } },
  count = { features = { kind = "city", completed = true, none = "ignored" } },
}
