-- R-3, R-4: a river is a feature without seats; it parts the fields beside it and never completes.
rules.edge "river" {}
rules.feature "river" { closes = "never", seats = {} }

-- R-2: as long as the river runs, it is what goes on. Its pile is used up before all others (R-1).
rules.forbid "river_goes_on" {
  on = "place",
  where = { tile = { edge = "river" } },
  unless = { joins = "river" },
  say = "the river must go on",
}

local opposite = { north = "south", east = "west", south = "north", west = "east" }
local steps = { north = { 0, -1 }, east = { 1, 0 }, south = { 0, 1 }, west = { -1, 0 } }

rules.forbid "u_turn" { -- R-2: two bends that follow each other do not turn the same way
  on = "place",
  where = { tile = { edge = "river" }, joins = "river" },
  test = function(c)
    for side, step in sorted_pairs(steps) do
      local before = c:edge(side) == "river" and rules.tile_at(c.x + step[1], c.y + step[2])
      if before then
        for other in sorted_pairs(steps) do
          local turns = other ~= side and other ~= opposite[side]
          if turns and c:edge(other) == "river" and before:edge(other) == "river" then
            return true
          end
        end
      end
    end
    return false
  end,
  say = "the river would turn back",
}

if rules.options.room == "clear" then
  rules.forbid "no_room" { -- R-2: nothing lies beside or behind the space where the river goes on
    on = "place",
    where = { tile = { edge = "river" }, joins = "river" },
    test = function(c)
      for side, step in sorted_pairs(steps) do
        local dx, dy = step[1], step[2]
        if c:edge(side) == "river" and not rules.tile_at(c.x + dx, c.y + dy) then
          for across = -1, 1 do
            local x, y = c.x + dx + across * dy, c.y + dy + across * dx
            if (across ~= 0 and rules.tile_at(x, y)) or rules.tile_at(x + dx, y + dy) then
              return true
            end
          end
        end
      end
      return false
    end,
    say = "the river would have no room to go on",
  }
end
