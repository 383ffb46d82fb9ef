rules.react "key" { on = "deployed", run = function(e)
  local seen = {}
  seen[e.figure] = true
  for figure in pairs(seen) do error(tostring(figure)) end
end }
