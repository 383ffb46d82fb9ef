rules.figure "wagon" { per_player = rules.options.per_player, seats = { "road", "city", "monastery" } } -- AM-9

-- AM-10: where it may go on. Fields are no place for it; other expansions may add kinds with `extend`.
local free = rules.query "free" { kind = { "road", "city", "monastery" }, open = true, occupied = false }

rules.react "roll_on" { -- AM-10, AM-11: only what was scored sends it on
  on = "returned",
  figure = "wagon",
  cause = "scored",
  run = function(e)
    rules.ask { to = "roll_on", who = e.player, data = { e.tile.x, e.tile.y, e.feature.id } }
  end,
}

local near = {}

--- The tile itself and the eight around it.
function near.c2(o, x, y)
  for dy = -1, 1 do
    for dx = -1, 1 do
      local tile = rules.tile_at(x + dx, y + dy)
      if tile then
        for segment in tile:segments() do
          if segment.feature:is(free) then
            o:add(segment)
          end
        end
      end
    end
  end
end

--- What meets the scored feature at a crossing, or where a road ends.
function near.c1(o, _, _, feature)
  for tile in rules.tiles() do
    for segment in tile:segments() do
      if segment.feature:is(free) and segment:meets(feature) then
        o:add(segment)
      end
    end
  end
end

rules.resolve "roll_on" {
  options = function(o, data)
    near[rules.options.move](o, data[1], data[2], data[3])
  end,
  does = "deploy",
  deploys = "wagon",
  pass = true,
}
