rules.query "mine" { owner = "own" }
rules.react "grow" { on = "deployed", run = function(e)
  for figure in e.feature:figures("mnie") do end
end }
