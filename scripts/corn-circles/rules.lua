for _, id in ipairs { "circle-field", "circle-road", "circle-city" } do
  rules.mark(id) { on = "tile" }
end
local circle = { mark = { "circle-field", "circle-road", "circle-city" } }

-- CC-2: what is printed says whom it concerns.
local concerned = rules.query "concerned" {
  owner = "own",
  any = {
    { role = "farmer", placed = { mark = "circle-field" } },
    { role = "robber", placed = { mark = "circle-road" } },
    { role = "knight", placed = { mark = "circle-city" } },
  },
}

--- CC-4: one after the other, from the left of the active player, who comes last.
local function everyone(step)
  for n = 0, rules.players - 1 do -- what is queued last comes first
    local player = (rules.player - n - 1) % rules.players + 1
    rules.emit("queue", { step = step, player = player })
  end
end

rules.step "circle_choice" { after = rules.options.timing == "after_scoring" and "after_score" or "after_action", where = { placed = circle } } -- CC-1
rules.offer "grow" { -- CC-3
  at = "circle_choice",
  must = true,
  emits = { "queue" },
  run = function()
    everyone "growing"
  end,
}
rules.offer "shrink" { -- CC-3
  at = "circle_choice",
  must = true,
  emits = { "queue" },
  run = function()
    everyone "shrinking"
  end,
}

rules.step "shrinking" {}
rules.offer "take" { -- CC-6: one of one's own must go
  at = "shrinking",
  must = true,
  options = { figures = concerned },
  does = "return",
  cause = "circle",
  causes = { "circle" },
}

rules.step "growing" {}
rules.waive "base:occupied" { on = "deploy", cause = "circle" }
local ALL = { farmer = true, robber = true, knight = true }

--- CC-5: one follower of this kind beside one of one's own, where it may stand.
local function add(kind, id, roles)
  rules.offer("join_" .. kind:gsub("-", "_")) {
    at = "growing",
    options = function(o)
      if rules.supply(rules.decider, id) > 0 then
        for figure in rules.figures(concerned) do
          if roles[figure.role] then
            o:add(figure.segment)
          end
        end
      end
    end,
    does = "deploy",
    deploys = id,
    cause = "circle",
  }
end
add("follower", "follower", ALL)
for id, roles in sorted_pairs { ["big-follower"] = ALL, phantom = ALL, mayor = { knight = true }, wagon = { robber = true, knight = true } } do
  rules.when(id, function()
    add(id, id .. ":" .. id, roles)
  end)
end
