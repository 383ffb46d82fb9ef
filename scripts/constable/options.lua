-- The readings of the rules that are more than a number or a condition.
local chosen = rules.options
local options = {}

-- A-6: which figures are robbers.
local kinds = chosen.robber_kinds == "standard_and_wagon" and { "follower" } or nil
rules.when("wagon", function()
  kinds = kinds and { "follower", "wagon" }
end)
options.robber = { role = "robber", figure = kinds }

-- A-1: whose robber must be there.
options.target = { role = "robber", figure = kinds, owner = "other" }
options.target_words = "no opponent's robber on this road"
if chosen.target == "any" then
  options.target.owner = nil
  options.target_words = "no robber on this road"
elseif chosen.target == "opponent_only" then
  rules.forbid "own_robber" {
    on = "deploy",
    figure = "constable",
    where = { feature = { has = { role = "robber", figure = kinds, owner = "own" } } },
    say = "a robber of your own stands on this road",
  }
end

-- A-2: which tile it goes on.
if chosen.placement_scope ~= "placed_tile" then
  rules.waive "core:not_this_tile" { on = "deploy", figure = "constable" }
end
if chosen.placement_scope == "robber_tile" then
  rules.query "targets"(options.target)
  rules.forbid "not_at_robber" {
    on = "deploy",
    figure = "constable",
    where = { feature = { kind = "road", has = options.robber } },
    test = function(c)
      for robber in c.feature:figures "targets" do
        if robber.tile == c.tile then
          return false
        end
      end
      return true
    end,
    say = "no robber of this road stands on this tile",
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

-- A-5, A-13, A-15: what is swept when. Where robbers may stay, only a new connection sweeps them, and the arrival of a constable.
options.swept_on, options.swept_by = "changed", { "joined", "arrived" }
local one = chosen.remove == "one_of_choice"
if one or not chosen.sweep_on_arrival or not chosen.blocks_deployment then
  options.swept_on, options.swept_by = "joined", nil
  rules.query "helpers" { any = {} }
  rules.when("builder", function()
    rules.extend "helpers" { figure = "builder" }
  end)
  rules.react "arrival" {
    on = "deployed",
    figure = "constable",
    emits = { "return" },
    causes = { "arrested" },
    run = function(e)
      for figure in e.feature:figures(one and "helpers" or "suspect") do
        rules.emit("return", { figure = figure, cause = "arrested" })
      end
      if one then
        rules.ask { to = "choose_robber", who = e.player, data = { e.figure.id } }
      end
    end,
  }
end
if one then
  rules.query "robbers"(options.robber)
  rules.resolve "choose_robber" {
    options = function(o, data)
      for robber in rules.figure(data[1]).feature:figures "robbers" do
        o:add(robber)
      end
    end,
    does = "return",
    cause = "arrested",
  }
end

-- A-22: what was swept in this turn waits; others of its kind may be deployed.
if chosen.swept_redeploy == "next_turn" then
  rules.token "swept" {}
  rules.react "count_swept" {
    on = "returned",
    cause = "arrested",
    figure = "follower",
    each = false,
    emits = { "put" },
    run = function(e)
      local counts = {}
      for event in e:all() do
        if event.cause == "arrested" and event.figure_kind == "follower" then
          counts[event.player] = (counts[event.player] or 0) + 1
        end
      end
      for player, count in sorted_pairs(counts) do -- equal intents would be one
        rules.emit("put", { token = "swept", to = player, amount = count })
      end
    end,
  }
  rules.step "swept_return" {
    before = "turn_end",
    where = { turn = { returned = { cause = "arrested" } } },
    emits = { "put" },
    run = function()
      for player = 1, rules.players do
        rules.emit("put", { token = "swept", to = player, amount = -rules.count("swept", player) })
      end
    end,
  }
  rules.forbid "just_swept" {
    on = "deploy",
    where = { turn = { returned = { cause = "arrested", owner = "own", same_kind = true } } },
    test = function(c)
      return rules.supply(c.player, c.kind) <= math.max(1, c.kind == "follower" and rules.count("swept", c.player) or 1)
    end,
    say = "this figure was swept in this turn",
  }
end

-- A-24 to A-26: what a road is connected to, with one entry for each that counts.
local function connected(road, kind, count)
  if chosen.connection == "same_tile" then
    return road:beside(kind)
  elseif count == "per_end" then
    return road:meetings(kind)
  end
  return road:linked(kind)
end

rules.query "guards" { figure = "constable" }

local function owners_on(road)
  local owners, seen = 0, {}
  for guard in road:figures "guards" do
    if not seen[guard.owner] then
      seen[guard.owner] = true
      owners = owners + 1
    end
  end
  return owners
end

-- A-27, A-28: an abbey is a cloister, unless an option leaves it out.
local function counts_as_cloister(cloister)
  local abbey = rules.active "abbey" and cloister:marks "abbey:abbey" > 0
  return abbey and chosen.abbey_end and chosen.cloister_kinds.abbey or not abbey and chosen.cloister_kinds.cloister
end

-- C-32 to C-38: road, city tiles and cloisters; A-31 and A-34 are about the latter two.
function options.final_items(figure, out)
  local road = figure.feature
  local worth = out:worth(road)
  if worth == 0 and not chosen.bonus_if_road_zero then
    return
  end
  local tiles, cloisters = 0, 0
  for city in connected(road, "city", chosen.city_count) do
    tiles = tiles + city.tiles
  end
  for cloister in connected(road, "monastery", chosen.cloister_count) do
    if counts_as_cloister(cloister) then
      cloisters = cloisters + 1
    end
  end
  if chosen.shared_bonus == "split" then
    out:add("shared city tiles and cloisters", math.floor((tiles + 5 * cloisters) / owners_on(road)), 1)
    return
  end
  out:add("linked city tiles", tiles, 1)
  out:add("linked cloisters", cloisters, 5)
end

return options
