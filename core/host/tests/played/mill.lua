-- Every kind of declaration, each used in the game of `played.rs`.
rules.mark "lamp" { on = "path" }
rules.mark "bell" { on = "tile" }
rules.figure "miller" { per_player = 1, class = "special", seats = "path", spends = false }
rules.neutral "owl" { walk = { steps = 2 } }
rules.token "coin" {}
rules.extend "peon" { seats = "path" }

local mine = rules.query "mine" { class = "follower", owner = "own" }
local numbers = require "./numbers"

rules.forbid "far" { on = "place",
  test = function(c) return c.x > numbers.far end,
  say = function(c) return c.def .. " at column " .. c.x .. " is too far for player " .. c.player end }
rules.forbid "shy" { on = "eat", figure = "peon", where = { feature = "path" } }
rules.waive "occupied" { on = "deploy", figure = "peon", where = { feature = { mark = "lamp", tiles = { min = 3 } } } }

rules.items "lamps" { of = "path", count = { mark = "lamp" }, unit = 1, tag = "per_lamp" }
rules.items "odd" { of = "path", unit = 10, count = function(feature, player)
  return (feature.tiles + player) % 2
end }
rules.items "strong" { of = "strength", count = function(feature, player, figure)
  if figure.kind == "peon" and feature.kind == "path" and player == 2 then return 1 end
  return 0
end }
rules.rate "bright" { of = "path", tag = "per_lamp", times = 2 }
rules.cap "most" { of = "path", max = 12 }
rules.void "ruin" { of = "town", where = { completed = false }, say = "a town without walls" }
rules.set "fixed" { of = "town", to = 7, where = { completed = true } }
rules.award "keeper" { at = "score", figure = "peon", where = { feature = "path" }, items = function(figure, out)
  local worth = out:worth(figure.feature)
  out:add("towns", figure.feature:count_linked("town"), 1)
  out:add("worth", worth, 0)
end }

rules.replace "stays" { on = "return", figure = "miller", run = function(i)
  assert(i.verb == "return" and i.figure.kind == "miller" and i.kind == "miller" and i.tile.x and i.cause == "scored")
  i:cancel()
end }

rules.react "owl" { on = "placed", where = { tile = { mark = "bell" } }, emits = { "appear", "put" }, run = function(e)
  rules.emit("appear", { neutral = "owl", to = e.tile })
  rules.emit("put", { token = "coin", to = e.player, amount = 2 })
end }
rules.step "hoot" { after = "core:after_action", where = { placed = { mark = "bell" } }, emits = { "queue" },
  run = function(s)
    assert(s.player == rules.player and s.tile:marks("bell") == 1)
    rules.emit("queue", { neutral = "owl" })
  end }
rules.offer "call" { at = "action", options = { figures = "mine" }, emits = { "return" }, causes = { "called" },
  run = function(figure)
    assert(figure.owner == rules.decider)
    rules.emit("return", { figure = figure, cause = "called" })
  end }
rules.react "gift" { on = "returned", where = { cause = "called" }, run = function(e)
  rules.ask { to = "gift", who = e.player, data = { 3, e.tile.x, e.tile.y } }
end }
rules.resolve "gift" { options = { from = 1, to = 3 }, emits = { "pay" }, causes = { "gift" }, run = function(n, data)
  rules.emit("pay", { player = rules.decider, points = n * data[1] + rules.tile_at(data[2], data[3]).y, cause = "gift" })
  rules.ask { to = "nest" }
end }
rules.resolve "nest" { pass = true, emits = { "retreat" },
  options = function(o) for tile in rules.tiles() do o:add(tile) end end,
  run = function(tile)
    if tile then rules.emit("retreat", { neutral = "owl", to = tile }) else rules.ask { to = "mood" } end
  end }
rules.resolve "mood" { options = { words = { "glad", "sad" } }, emits = { "pay" }, run = function(word)
  rules.emit("pay", { player = 1, points = word == "sad" and -1 or 1 })
end }
rules.react "sum" { on = "scored", each = false, emits = { "pay" }, causes = { "sum" }, run = function(e)
  local count = 0
  for one in e:all() do
    assert(one.feature.completed == (one.cause == "completed"))
    count = count + 1
  end
  rules.emit("pay", { player = 2, points = count, cause = "sum" })
end }

rules.describe "owl" { figure = "owl", text = "It hoots." }
rules.advise "owl" { weight = 1 }

assert(rules.options.height == 4 and rules.options.style == "plain" and rules.options.wings.left)
assert(rules.options.wings.right == nil and rules.options.tall == false)
local seen = {}
rules.when("ghost", function() seen.ghost = true end)
rules.when("land", function() seen.land = true end)
assert(seen.land and not seen.ghost and rules.active("land") and not rules.active("ghost"))
