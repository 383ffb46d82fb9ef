local function second(list)
  return list[2].name
end
rules.react "grow" { on = "deployed", run = function(e)
  local name = second({ e.kind })
end }
