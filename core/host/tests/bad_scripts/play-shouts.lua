rules.react "shout" { on = "deployed", run = function(e)
  error("\27[2J\27]0;" .. tostring(e) .. tostring(rules) .. tostring(rules.emit) .. tostring(e.figure))
end }
