rules.award "forged" { at = "after_action", figure = "peon", to = "owner", points = 1, items = function(_, out)
  out:add("x\nB: pass", 1, 1)
end }
