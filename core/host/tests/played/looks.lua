-- What a hook sees after Bob has deployed a peon on the path of two tiles and a gate.
rules.mark "lamp" { on = "path" }
rules.mark "bell" { on = "tile" }
rules.token "coin" {}
rules.neutral "owl" { walk = { steps = 1 } }
rules.query "mine" { owner = "own" }
rules.query "gated" { kind = "path", tiles = 3 }
rules.query "theirs" { owner = "other" }

local function list(iterator)
  local all = {}
  local one = iterator()
  while one do
    all[#all + 1] = tostring(one)
    one = iterator()
  end
  return table.concat(all, "; ")
end

local function same(found, expected)
  if found ~= expected then error("found " .. tostring(found) .. ", expected " .. tostring(expected), 2) end
end

rules.react "look" { on = "deployed", where = { cause = "action" }, run = function(e)
  same(e.kind, "deployed")
  same(e.figure_kind, "peon")
  same(e.seat, "path")
  same(e.cause, "action")
  same(e.by.joined, nil)
  local path, peon, tile = e.feature, e.figure, e.tile
  same(tostring(path), "path at 0,0")
  same(tostring(peon), "peon of player 2 at 2,0")
  same(tostring(tile), "gate at 2,0")
  same(path.kind .. path.tiles .. path.size, "path33")
  assert(path.open and not path.closed and not path.completed)
  same(path:marks("lamp"), 2)
  same(path:marks("ghost"), 0)
  same(path:marks("la" .. ("pm"):reverse()), 2)
  local seen = { [peon] = "peon", [path] = "path" }
  assert(seen[e.figure] == "peon" and seen[tile] == nil and seen[peon.feature] == "path")
  for one in rules.tiles() do
    for other in rules.tiles() do
      seen[one] = (seen[one] or 0) + (other == tile and 1 or 10)
    end
  end
  same(seen[tile], 21)
  local first = rules.tiles()
  first()
  for _ = 1, 200 do
    same(tostring(rules.tiles()()), "straight at 0,0")
  end
  same(list(first), "straight at 1,0; gate at 2,0")
  same(list(path:linked("town")), "town at 2,0")
  same(path:count_linked("town"), 1)
  same(list(path:meetings("town")), "town at 2,0")
  same(list(path:beside("town")), "town at 2,0")
  same(list(path:beside("path")), "")
  same(list(path:borders("town")), "")
  same(list(path:figures()), "peon of player 2 at 2,0")
  same(list(path:figures("mine")), "peon of player 2 at 2,0")
  same(list(path:figures("theirs")), "")
  assert(path:has() and path:has("mine") and not path:has("theirs"))
  assert(path == peon.feature and path ~= path:linked("town")() and peon.tile == tile and peon ~= path)
  same(peon.owner, 2)
  same(peon.class, "follower")
  same(peon.role, nil)
  same(peon.seat, "path")
  same(tostring(peon.segment), "segment path at 2,0")
  same(peon.segment.kind .. peon.segment.name .. tostring(peon.segment.tile), "pathpathgate at 2,0")
  same(tile.id .. tile.x .. tile.y .. tile.rotation, "gate202")
  same(tile:marks("bell"), 1)
  same(list(tile:segments()), "segment town at 2,0; segment path at 2,0")
  same(list(tile:segments("town")), "segment town at 2,0")
  same(list(tile:figures("mine")), "peon of player 2 at 2,0")
  same(rules.count("coin", tile), 0)
  same(list(rules.tiles()), "straight at 0,0; straight at 1,0; gate at 2,0")
  same(list(rules.tiles("bell")), "gate at 2,0")
  same(list(rules.figures()), "peon of player 2 at 2,0")
  same(rules.figure(peon.id), peon)
  same(rules.tile_at(tile.x, tile.y), tile)
  same(rules.segment(peon.segment.id), peon.segment)
  same(rules.feature(path.id), path)
  assert(tile:has("mine") and path:is("gated") and tile:segments("town")():meets(path) and peon.holder == nil)
  same(rules.players .. rules.player .. rules.decider, "222")
  same(rules.supply(2, "peon") .. rules.supply(1, "peon") .. rules.score(1) .. rules.count("coin", 1) .. rules.count("coin"), "23000")
end }

-- Every verb that a hook may emit, one after the other, each from an answer.
rules.react "start" { on = "deployed", where = { cause = "action" }, run = function(e)
  rules.ask { to = "verb", data = { e.figure.id, e.tile.x, e.tile.y } }
end }
rules.resolve "verb" {
  options = { words = { "move", "capture", "release", "deploy", "appear", "enter", "rest", "put", "mark", "discard", "finish" } },
  emits = { "move", "capture", "release", "deploy", "appear", "enter", "rest", "put", "mark", "discard", "finish" },
  causes = { "asked" },
  run = function(verb, data)
    local figure, tile = rules.figure(data[1]), rules.tile_at(data[2], data[3])
    local fields = { cause = "asked" }
    if verb == "move" then fields.figure, fields.to = figure, tile:segments("town")() end
    if verb == "deploy" then
      fields.kind, fields.player, fields.seat = "peon", 1, "path"
      fields.to = rules.tile_at(0, 0):segments("path")()
    end
    if verb == "capture" then fields.figure, fields.player = figure, 1 end
    if verb == "release" or verb == "discard" then fields.figure = figure end
    if verb == "appear" or verb == "enter" then fields.neutral, fields.to = "owl", tile end
    if verb == "rest" then fields.neutral = "owl" end
    if verb == "put" then fields.token, fields.to, fields.amount = "coin", tile, 3 end
    if verb == "mark" then
      fields.feature, fields.mark, fields.amount = tile:segments("path")().feature, "lamp", 5
    end
    rules.emit(verb, fields)
    if verb ~= "finish" then rules.ask { to = "verb", data = data } end
  end }
