-- Where the other one is in play, a completed road asks for a handle that is not there.
rules.when("left", function()
  rules.react "meets" {
    on = "completed",
    where = { feature = { kind = "road" } },
    emits = { "pay" },
    run = function(e)
      rules.emit("pay", { player = nil, points = 1, feature = e.feature, cause = "completed" })
    end,
  }
end)
