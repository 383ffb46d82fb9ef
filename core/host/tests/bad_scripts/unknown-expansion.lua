rules.when("ghots", function() end)
