local options = rules.options
rules.feature "tower" { closes = "never", seats = { top = { claims = false, scores = false } } }
rules.forbid "no_points" { on = "score", feature = { kind = "tower" }, say = "a tower is worth nothing" }
rules.token "floor" { per_player = { 10, 10, 9, 7, 6, 5 } } -- TW-1, by number of players

-- TW-2, TW-9: a small or big follower may close any open tower.
rules.extend "follower" { seats = { "top" } }
for _, id in ipairs { "big-follower", "phantom" } do
  rules.when(id, function()
    rules.extend(id, { seats = { "top" } })
  end)
end
rules.waive "core:not_this_tile" { on = "deploy", seat = "top" }
rules.forbid "no_floor" { on = "deploy", seat = "top", unless = { tile = { tokens = { floor = { min = 1 } } } }, say = "no floor is built here" }
rules.forbid "closed_tower" { on = "deploy", seat = "top", where = { feature = { has = { min = 1 } } }, say = "this tower is closed" }
if options.top_safe_from_dragon then
  rules.forbid "out_of_reach" { on = "eat", seat = "top", say = "the top of a tower is out of reach" } -- TW-8
  rules.when("dragon", function() -- PD-2: so a tower may be closed beside it
    rules.waive "dragon:dragon_here" { on = "deploy", seat = "top" }
  end)
end

rules.offer "build" { -- TW-2
  where = { holds = { floor = { min = 1 } } },
  options = { segments = { feature = { kind = "tower", lacks = { min = 1 } } } },
  emits = { "put" },
  run = function(tower)
    rules.emit("put", { token = "floor", to = rules.decider, amount = -1 })
    rules.emit("put", { token = "floor", to = tower.tile, amount = 1 })
    rules.ask { to = "capture", who = rules.decider, data = { tower.tile.x, tower.tile.y } }
  end,
}

local prey = rules.query "prey" { class = options.captures == "followers" and "follower" or { "follower", "special" } }

rules.resolve "capture" { -- TW-3: in four rays as far as the tower is high, whatever lies between
  options = function(o, data)
    local tower = rules.tile_at(data[1], data[2])
    for figure in tower:in_line(rules.count("floor", tower), prey) do
      o:add(figure)
    end
  end,
  does = "capture",
  cause = "captured",
  causes = { "captured" },
  pass = true,
}

if options.captures_own then
  rules.replace "own" { -- TW-5
    on = "capture",
    owner = "own",
    emits = { "return" },
    run = function(i)
      i:cancel()
      rules.emit("return", { figure = i.figure, cause = "captured" })
    end,
  }
else
  rules.forbid "spared" { on = "capture", owner = "own", say = "this figure is your own" }
end

rules.react "exchange" { -- TW-6: prisoners of both sides go home at once; who gets one back chooses among kinds
  on = "captured",
  run = function(e)
    local captor = e.figure.holder
    for prisoner in rules.held(e.player) do
      if prisoner.owner == captor then
        rules.ask { to = "exchange", who = captor, data = { e.player, e.figure.id } }
        return
      end
    end
  end,
}

rules.resolve "exchange" {
  options = function(o, data)
    for prisoner in rules.held(data[1]) do
      if prisoner.owner == rules.decider then
        o:add(prisoner)
      end
    end
  end,
  emits = { "release" },
  causes = { "exchanged" },
  run = function(prisoner, data)
    rules.emit("release", { figure = prisoner, cause = "exchanged" })
    rules.emit("release", { figure = rules.figure(data[2]), cause = "exchanged" })
  end,
}

rules.offer "ransom" { -- TW-7
  at = "own_turn",
  spends = false,
  options = { held = { owner = "own" } },
  where = not options.ransom_negative and { score = { min = 3 } } or nil,
  unless = { turn = { released = { cause = "ransom", owner = "own" } } },
  emits = { "pay", "release" },
  causes = { "ransom" },
  run = function(prisoner)
    rules.emit("pay", { player = rules.decider, points = -3, cause = "ransom" })
    rules.emit("pay", { player = prisoner.holder, points = 3, cause = "ransom" })
    rules.emit("release", { figure = prisoner, cause = "ransom" })
  end,
}
