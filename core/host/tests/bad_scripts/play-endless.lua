rules.react "grow" { on = "deployed", run = function(e)
  while e.figure do end
end }
