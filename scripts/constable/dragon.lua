-- C-26, C-27: when it has eaten a constable the dragon is put on a volcano, and the walk ends. A-40: however many it ate.
local chosen = rules.options

rules.query "faerie" { figure = "faerie" }

-- A-37: volcanoes without the faerie, or all of them if she is on each. In the order in which they were placed.
local function volcanoes()
  local free, all = {}, {}
  for tile in rules.tiles "dragon:volcano" do
    table.insert(all, tile)
    if not tile:has "faerie" then
      table.insert(free, tile)
    end
  end
  return #free > 0 and free or all
end

rules.react "satisfied" {
  on = "eaten",
  figure = "constable",
  each = false,
  emits = { "retreat", "rest" },
  run = function(e)
    local found = volcanoes()
    if #found == 0 and chosen.no_volcano == "stay" then -- A-38
      rules.emit("retreat", { neutral = "dragon", to = e.tile })
    elseif #found == 0 then
      rules.emit("rest", { neutral = "dragon" })
    elseif chosen.dragon_return == "last_placed" then
      rules.emit("retreat", { neutral = "dragon", to = found[#found] })
    else
      local who = rules.decider -- A-36: whose step it was
      if chosen.dragon_return == "owner_chooses" then
        who = e.player
      elseif chosen.dragon_return == "active_player_chooses" then
        who = rules.player
      end
      rules.ask { to = "volcano", who = who, data = { e.tile.x, e.tile.y } }
    end
  end,
}

rules.resolve "volcano" {
  options = function(o, data)
    local best
    local function distance(tile)
      return math.abs(tile.x - data[1]) + math.abs(tile.y - data[2])
    end
    for _, tile in ipairs(volcanoes()) do
      best = math.min(best or distance(tile), distance(tile))
    end
    for _, tile in ipairs(volcanoes()) do
      if chosen.dragon_return ~= "nearest" or distance(tile) == best then
        o:add(tile)
      end
    end
  end,
  does = "retreat",
  neutral = "dragon",
}
