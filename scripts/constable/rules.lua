-- C-1 to C-4, C-19, C-20, C-30: one each, special, on roads only, taken off by nothing but being eaten.
rules.figure "constable" {
  per_player = rules.options.per_player,
  class = "special",
  seats = { "road" },
  leaves = rules.options.removable_by.dragon and { "eaten" } or {}, -- C-31, A-46
  spends = rules.options.is_action, -- C-6
}

local options = require "./options"
local guarded = rules.query "guarded" { feature = { kind = "road", has = { figure = "constable" } } }
local suspect = rules.query "suspect"(options.robber)

rules.forbid "needs_robber" { -- C-5, A-1
  on = "deploy",
  figure = "constable",
  unless = { feature = { has = options.target } },
  say = options.target_words,
}

rules.react "arrest" { -- C-8, C-9, C-12 to C-18: whatever brought them together
  on = options.swept_on,
  by = options.swept_by,
  feature = { has = suspect },
  where = guarded,
  emits = { "return" },
  causes = { "arrested" },
  run = function(e)
    for figure in e.feature:figures(suspect) do
      rules.emit("return", { figure = figure, cause = "arrested" })
    end
  end,
}

if rules.options.blocks_deployment then
  rules.forbid "on_duty" { -- C-21, A-13 to A-15
    on = { "deploy", "move" },
    class = "follower",
    where = guarded,
    stops = "offers",
    say = "a constable holds this road",
  }
end

rules.forbid "nobody_scores" { -- C-23; whom an option lets stand there is paid as always
  on = "score",
  where = { feature = { kind = "road", has = { figure = "constable" }, lacks = { class = "follower" } } },
  unless = { why = "final" },
  say = "a constable holds this road",
}

rules.award "constable" { -- C-32 to C-38
  at = "final",
  figure = "constable",
  to = "owner",
  once = { "owner", "feature" },
  items = options.final_items,
}

-- What it says to its neighbours.

rules.when("faerie", function()
  rules.forbid "own_constable" { -- C-28
    on = "appear",
    figure = "faerie",
    where = { tile = { has = { figure = "constable", owner = "own" } } },
    say = "your own constable is on this tile",
  }
  rules.extend "faerie:ignored" { figure = "constable" } -- C-29
  if rules.options.fairy_symmetric then -- A-44
    rules.forbid "faerie_here" { on = "deploy", figure = "constable", where = { tile = { has = { figure = "faerie" } } }, say = "the faerie is on this tile" }
  end
end)

rules.when("robber-baron", function() -- C-40, C-41
  rules.extend "robber-baron:claim" { feature = { has = { figure = "constable" } } }
  rules.extend "robber-baron:roads" { feature = { has = { figure = "constable" } } }
  if rules.options.revoke_award then -- A-48
    rules.extend "robber-baron:lapsed" { feature = { has = { figure = "constable" } } }
  end
  if rules.options.final_count == "ever_held" then -- A-49
    rules.mark "held" { on = "road" }
    rules.extend "robber-baron:roads" { feature = { mark = "held" } }
    rules.react "remember" {
      on = "deployed",
      figure = "constable",
      emits = { "mark" },
      run = function(e)
        rules.emit("mark", { feature = e.feature, mark = "held" })
      end,
    }
  end
end)

rules.when("festival", function() -- A-46
  if rules.options.removable_by.festival then
    rules.extend "constable" { leaves = { "festival" } }
  end
end)

rules.when("portal", function() -- A-16: what the portal says of other tiles is not meant for it
  if rules.options.via_portal then
    rules.waive "core:not_this_tile" { on = "deploy", figure = "constable", where = { placed = { mark = "portal:portal" } } }
  end
  if rules.options.via_portal or rules.options.placement_scope ~= "placed_tile" then
    rules.waive "portal:portal_taken" { on = "deploy", figure = "constable" }
    rules.waive "portal:portal_finished" { on = "deploy", figure = "constable" }
  end
end)

rules.when("builder", function() -- C-9, A-9
  rules.extend "suspect" { figure = "builder" }
  if rules.options.swept_builder_grants_turn then
    rules.react "earned_before" {
      on = "returned",
      figure = "builder",
      cause = "arrested",
      owner = "active",
      unless = { part = { deployed = { cause = "action" } } },
      emits = { "queue" },
      run = function()
        rules.emit("queue", { amount = 1 })
      end,
    }
  end
end)

rules.when("dragon", function()
  require "./dragon"
end)
