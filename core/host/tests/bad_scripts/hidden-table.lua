local seen = {}
rules.forbid "again" { on = "place", test = function(a)
  seen[#seen + 1] = a.tile
  return #seen > 3
end }
