-- Once a monastery has a monk, the function goes on for ever.
rules.react "stuck" {
  on = "deployed",
  where = { feature = { kind = "monastery" } },
  emits = { "pay" },
  run = function()
    while true do
    end
  end,
}
