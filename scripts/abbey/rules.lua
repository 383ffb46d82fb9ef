rules.edge "abbey" { matches = "all" } -- AM-2, AM-4: fits everywhere and closes what it touches
rules.mark "abbey" { on = "monastery" } -- for rules that ask which of the two it is
rules.token "abbey" { per_player = 1 } -- AM-1

local in_hand = { holds = { abbey = { min = 1 } } }

rules.step "abbey" { before = "draw", where = in_hand } -- AM-6: of every part
rules.offer "lay" { -- AM-2: instead of drawing, into a hole with tiles on all four sides
  at = "abbey",
  where = in_hand,
  options = { spaces = 4 },
  emits = { "place", "put" },
  run = function(space)
    rules.emit("place", { tile = "abbey", at = space })
    rules.emit("put", { token = "abbey", to = rules.decider, amount = -1 })
  end,
}

if rules.options.endgame == "allow" then
  rules.step "last_abbeys" { -- AM-7: clockwise from the next player
    after = "last_rounds",
    emits = { "queue" },
    run = function()
      for n = 1, rules.players do
        local player = (rules.player + n - 1) % rules.players + 1
        if rules.count("abbey", player) > 0 then
          rules.emit("queue", { player = player })
        end
      end
    end,
  }
end

if rules.options.triggers_builder then
  rules.when("builder", function()
    rules.react "walled_in" { -- AM-5: what it closes was touched by it, though it did not grow
      on = "changed",
      by = "joined",
      where = { placed = { edge = "abbey" }, feature = { has = { figure = "builder", owner = "active" } } },
      emits = { "queue" },
      run = function()
        rules.emit("queue", { amount = 1 })
      end,
    }
  end)
end
