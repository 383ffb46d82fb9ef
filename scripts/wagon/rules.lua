rules.figure "wagon" { per_player = 1, seats = { "road", "city", "monastery" } } -- AM-9

rules.react "roll_on" { -- AM-10, AM-11: only what was scored sends it on
  on = "returned",
  figure = "wagon",
  cause = "scored",
  run = function(e)
    rules.ask { to = "roll_on", who = e.player, data = { e.tile.x, e.tile.y, e.feature.id } }
  end,
}

local function add_open(o, tile)
  for segment in tile:segments() do
    if not segment.feature.closed then
      o:add(segment)
    end
  end
end

rules.resolve "roll_on" {
  options = function(o, data)
    local x, y = data[1], data[2]
    if rules.options.move == "c1" then
      local here = rules.tile_at(x, y)
      for segment in here:segments() do
        if segment:meets(data[3]) and not segment.feature.closed then
          o:add(segment)
        end
      end
      return
    end
    for dy = -1, 1 do
      for dx = -1, 1 do
        local tile = rules.tile_at(x + dx, y + dy)
        if tile then
          add_open(o, tile)
        end
      end
    end
  end,
  does = "deploy",
  deploys = "wagon",
  pass = true,
}
