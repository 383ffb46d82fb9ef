-- KR-1: the title and, with nobody, the length of the record.
rules.token "record" {}
rules.token "seal" {}
rules.mark "recorded" { on = "road" } -- the length with which a road took the title
rules.query "claim" { any = {} } -- others add roads that neither win nor defend the title
rules.query "roads" { any = {} } -- others add roads that are not counted at the end
rules.query "lapsed" { any = {} } -- others add roads that lose the title they made
local in_the_running = rules.query "in_the_running" { kind = "road", none = "claim" }
local scoring = rules.options.scoring

local function holder()
  for player = 1, rules.players do
    if rules.count("seal", player) > 0 then
      return player
    end
  end
end

rules.react "seal" { -- KR-2, KR-3: whoever placed the tile takes it; KR-5: for a strictly longer road; KR-6: by tiles
  on = "completed",
  where = in_the_running,
  each = false,
  emits = { "put", "pay", "mark" },
  causes = { "robber_baron" },
  run = function(e)
    local record, longest, completed, road = rules.count "record", 0, 0, nil
    for event in e:all() do
      if event.feature:is(in_the_running) then
        completed = completed + 1
        if event.feature.tiles > longest then
          longest, road = event.feature.tiles, event.feature
        end
      end
    end
    local before = holder()
    local now = longest > record and rules.player or before
    if longest > record then
      rules.emit("put", { token = "record", amount = longest - record })
      rules.emit("mark", { feature = road, mark = "recorded", amount = longest })
    end
    if now ~= before then
      rules.emit("put", { token = "seal", to = now, amount = 1 })
      if before then
        rules.emit("put", { token = "seal", to = before, amount = -1 })
      end
    end
    if scoring == "continuous" and before then -- KR-7: at once, for whoever held it until then
      rules.emit("pay", { player = before, points = completed, cause = "robber_baron" })
    end
  end,
}

rules.react "lapse" { -- the length stays the record
  on = "changed",
  by = "arrived",
  feature = { mark = "recorded" },
  where = "lapsed",
  emits = { "put" },
  run = function(e)
    local before = holder()
    if before and e.feature:marks "recorded" == rules.count "record" then
      rules.emit("put", { token = "seal", to = before, amount = -1 })
    end
  end,
}

local held = { holds = { seal = { min = 1 } } }
if scoring == "per_feature" then
  rules.award "robber_baron" { -- KR-4
    at = "final",
    each = "player",
    where = held,
    count = { features = { kind = "road", completed = true, none = "roads" } },
    say = "completed roads",
  }
elseif scoring == "ten_or_twenty" then
  rules.award "robber_baron" { at = "final", each = "player", where = held, points = 10 } -- KR-7: 10 for each title
elseif scoring == "fifteen_or_forty" then -- KR-7: 15 for one title; the king's script pays for both
  rules.query "both" { any = {} }
  rules.award "robber_baron" { at = "final", each = "player", where = held, unless = "both", points = 15 }
  rules.when("king", function()
    rules.extend "both" { holds = { seal = { min = 1 }, ["king:crown"] = { min = 1 } } }
  end)
end
