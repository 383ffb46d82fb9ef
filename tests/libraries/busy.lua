-- Every role of a function; busy.c is the same in C, and a test compares the games.
rules.token "coin" {}
rules.query "mine" { class = "follower", owner = "own" }

rules.forbid "far" { on = "place",
  test = function(c) return c.x > 4 or c.y > 6 end,
  say = function(c) return "too far for player " .. c.player end }
rules.items "crowd" { of = "city", unit = 1, count = function(feature, player)
  local count = player + feature.tiles + feature.size
  for figure in feature:figures() do count = count + figure.owner end
  if feature.completed and feature.closed and feature.kind == "city" then count = count + 1 end
  return count
end }
rules.award "keeper" { at = "score", figure = "follower", where = { feature = "road" }, items = function(figure, out)
  out:add("size", figure.feature.size, 1)
  out:add("pennants", figure.feature:marks("pennant"), 2)
end }
rules.replace "stays" { on = "return", figure = "follower", run = function(i)
  if i.tile.x % 3 == 1 and i.cause == "scored" then i:cancel() end
end }
rules.react "gain" { on = "placed", emits = { "put" }, run = function(e)
  if e.kind == "placed" then rules.emit("put", { token = "coin", to = e.player, amount = 1 }) end
end }
rules.offer "call" { at = "action", options = { figures = "mine" }, emits = { "return" }, causes = { "called" },
  run = function(figure) rules.emit("return", { figure = figure, cause = "called" }) end }
rules.react "gift" { on = "returned", where = { cause = "called" }, run = function(e)
  rules.ask { to = "gift", who = e.player, data = { 3, e.tile.x } }
end }
rules.resolve "gift" { options = { from = 1, to = 3 }, emits = { "pay" }, causes = { "gift" }, run = function(n, data)
  local points = n * data[1] + data[2] + rules.count("coin", rules.decider)
  rules.emit("pay", { player = rules.decider, points = points, cause = "gift" })
  rules.ask { to = "nest" }
end }
rules.resolve "nest" { pass = true, emits = { "pay" },
  options = function(o) for figure in rules.figures() do o:add(figure) end end,
  run = function(figure)
    if figure then rules.emit("pay", { player = figure.owner, points = 1 }) else rules.ask { to = "mood" } end
  end }
rules.resolve "mood" { options = { words = { "glad", "sad" } }, emits = { "pay" }, run = function(word)
  rules.emit("pay", { player = 1, points = word == "sad" and -1 or rules.score(1) % 2 })
end }
if rules.options.height == 5 or rules.active("wells") then rules.token "pail" {} end
