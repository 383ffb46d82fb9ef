local inner = { role = "peon" }
for _ = 1, 30 do inner = { any = { inner, inner } } end
rules.query "deep" (inner)
