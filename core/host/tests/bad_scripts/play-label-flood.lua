rules.award "much" { at = "after_action", figure = "peon", to = "owner", points = 1, items = function(_, out)
  for n = 1, 1000 do out:add("item" .. n, 1, 1) end
end }
