rules.react "sort" { on = "deployed", run = function(e)
  table.sort { e.figure, e.figure }
end }
