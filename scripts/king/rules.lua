-- KR-1: the title and, with nobody, the length of the record.
rules.token "record" {}
rules.token "crown" {}
rules.query "ignored" { any = {} } -- others add to it
local in_the_running = rules.query "in_the_running" { kind = "city", none = "ignored" }
local scoring = rules.options.scoring

local function holder()
  for player = 1, rules.players do
    if rules.count("crown", player) > 0 then
      return player
    end
  end
end

rules.react "crown" { -- KR-2, KR-3: whoever placed the tile takes it; KR-5: for a strictly larger city; KR-6: by tiles
  on = "completed",
  where = in_the_running,
  each = false,
  emits = { "put", "pay" },
  causes = { "king" },
  run = function(e)
    local record, largest, completed = rules.count "record", 0, 0
    for event in e:all() do
      if event.feature:is(in_the_running) then
        largest = math.max(largest, event.feature.tiles)
        completed = completed + 1
      end
    end
    local before = holder()
    local now = largest > record and rules.player or before
    if largest > record then
      rules.emit("put", { token = "record", amount = largest - record })
    end
    if now ~= before then
      rules.emit("put", { token = "crown", to = now, amount = 1 })
      if before then
        rules.emit("put", { token = "crown", to = before, amount = -1 })
      end
    end
    if scoring == "continuous" and before then -- KR-7: at once, for whoever held it until then
      rules.emit("pay", { player = before, points = completed, cause = "king" })
    end
  end,
}

local held = { holds = { crown = { min = 1 } } }
if scoring == "per_feature" then
  rules.award "king" { -- KR-4
    at = "final",
    each = "player",
    where = held,
    count = { features = { kind = "city", completed = true, none = "ignored" } },
    say = "completed cities",
  }
elseif scoring == "ten_or_twenty" then
  rules.award "king" { at = "final", each = "player", where = held, points = 10 } -- KR-7: 10 for each title
elseif scoring == "fifteen_or_forty" then -- KR-7: 15 for one title, 40 for both
  local both = rules.query "both" { any = {} }
  rules.award "king" { at = "final", each = "player", where = held, unless = "both", points = 15 }
  rules.when("robber-baron", function()
    rules.extend "both" { holds = { crown = { min = 1 }, ["robber-baron:seal"] = { min = 1 } } }
    rules.award "king_of_both" { at = "final", each = "player", where = both, points = 40 }
  end)
end
