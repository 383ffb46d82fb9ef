-- C-26, C-27: when it has eaten a constable the dragon is put on a volcano, and the walk ends. A-40: however many it ate.
local chosen = rules.options

rules.react "satisfied" {
  on = "eaten",
  figure = "constable",
  each = false,
  emits = { "rest" },
  run = function(e)
    local who = rules.decider -- A-36: whose step it was
    if chosen.dragon_return == "owner_chooses" then
      who = e.player
    elseif chosen.dragon_return == "active_player_chooses" then
      who = rules.player
    end
    for _ in rules.tiles "dragon:volcano" do
      rules.ask { to = "volcano", who = who }
      return
    end
    if chosen.no_volcano == "leave_board" then -- A-38
      rules.emit("rest", { neutral = "dragon" })
    end
  end,
}

rules.query "faerie" { figure = "faerie" }

rules.resolve "volcano" {
  options = function(o)
    local free, all = {}, {}
    for tile in rules.tiles "dragon:volcano" do
      table.insert(all, tile)
      if not tile:has "faerie" then
        table.insert(free, tile)
      end
    end
    for _, tile in ipairs(#free > 0 and free or all) do -- A-37
      o:add(tile)
    end
  end,
  does = "retreat",
  neutral = "dragon",
}
