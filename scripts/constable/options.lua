-- The readings of the rules that are more than a number or a condition.
local chosen = rules.options
local options = {}

-- A-6: which figures are robbers.
options.robber = { role = "robber" }
if chosen.robber_kinds == "standard_and_wagon" then
  options.robber = { role = "robber", figure = { "follower", "wagon" } }
end

-- A-1: whose robber must be there.
options.target = { role = "robber", owner = "other" }
if chosen.target == "any" then
  options.target = { role = "robber" }
elseif chosen.target == "opponent_only" then
  rules.forbid "own_robber" {
    on = "deploy",
    figure = "constable",
    where = { feature = { has = { role = "robber", owner = "own" } } },
    say = "a robber of your own stands on this road",
  }
end

-- A-2: which tile it goes on.
if chosen.placement_scope ~= "placed_tile" then
  rules.waive "core:not_this_tile" { on = "deploy", figure = "constable" }
end
if chosen.placement_scope == "robber_tile" then
  rules.forbid "not_at_robber" {
    on = "deploy",
    figure = "constable",
    unless = { tile = { has = { role = "robber" } } },
    say = "no robber stands on this tile",
  }
end

-- A-3: a road that this tile completes.
if not chosen.on_just_completed then
  rules.forbid "just_completed" {
    on = "deploy",
    figure = "constable",
    where = { feature = { closed = true } },
    say = "this tile completes the road",
  }
end

-- A-5, A-13, A-15: what is swept when. A robber's own arrival counts only if nothing lets it stay.
options.swept_by = { "joined", "arrived" }
local stays = not chosen.sweep_on_arrival or not chosen.blocks_deployment
if stays or chosen.remove == "one_of_choice" then
  options.swept_by = { "joined" }
  local all = chosen.remove == "all"
  rules.react "arrival" {
    on = "deployed",
    figure = "constable",
    emits = { "return" },
    causes = { "arrested" },
    run = function(e)
      if not all then
        rules.ask { to = "choose_robber", who = e.player, data = { e.figure.id } }
        return
      end
      for figure in e.feature:figures("suspect") do
        rules.emit("return", { figure = figure, cause = "arrested" })
      end
    end,
  }
end
if chosen.remove == "one_of_choice" then
  rules.resolve "choose_robber" {
    options = { figures = { any = { { role = "robber" }, { figure = "builder" } }, feature = { has = { figure = "constable", owner = "own" } } } },
    does = "return",
    cause = "arrested",
  }
end

-- A-22: a kind that was swept in this turn waits.
if chosen.swept_redeploy == "next_turn" then
  rules.forbid "just_swept" {
    on = "deploy",
    class = "follower",
    where = { turn = { returned = { cause = "arrested", owner = "own", same_kind = true } } },
    say = "this kind of figure was swept in this turn",
  }
end

-- A-24 to A-26: what a road is connected to, with one entry for each that counts.
local function connected(road, kind, count)
  if chosen.connection == "same_tile" then
    return road:beside(kind)
  elseif chosen[count] == "per_end" then
    return road:meetings(kind)
  end
  return road:linked(kind)
end

-- C-32 to C-38: road, city tiles and cloisters; A-31 and A-34 are about the latter two.
function options.final_items(figure, out)
  local road = figure.feature
  local worth = out:worth(road)
  if worth == 0 and not chosen.bonus_if_road_zero then
    return
  end
  local tiles, cloisters = 0, 0
  for city in connected(road, "city", "city_count") do
    tiles = tiles + city.tiles
  end
  for _ in connected(road, "monastery", "cloister_count") do
    cloisters = cloisters + 1
  end
  if chosen.shared_bonus == "split" then
    local owners, seen = 0, {}
    for other in road:figures("guards") do
      if not seen[other.owner] then
        seen[other.owner] = true
        owners = owners + 1
      end
    end
    out:add("shared city tiles and cloisters", math.floor((tiles + 5 * cloisters) / owners), 1)
    return
  end
  out:add("linked city tiles", tiles, 1)
  out:add("linked cloisters", cloisters, 5)
end

rules.query "guards" { figure = "constable" }

return options
