-- The third follower since the script was loaded is worth a point: done again, it comes out differently.
local seen = { count = 0 }

local function count(of)
  of.count = of.count + 1
  return of.count
end

rules.react "third" {
  on = "deployed",
  emits = { "pay" },
  causes = { "third" },
  run = function(e)
    if count(seen) % 3 == 0 then
      rules.emit("pay", { player = e.player, points = 1, cause = "third" })
    end
  end,
}
