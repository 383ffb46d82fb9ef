-- One value of an option divides by nothing when a follower is deployed.
if rules.options.style == "odd" then
  rules.react "odd" {
    on = "deployed",
    emits = { "pay" },
    run = function(e)
      rules.emit("pay", { player = e.player, points = 1 / 0, cause = "completed" })
    end,
  }
end
