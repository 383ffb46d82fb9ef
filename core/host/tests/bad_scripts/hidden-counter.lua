local calls = 0
rules.forbid "often" { on = "place", test = function()
  calls = calls + 1
  return calls > 3
end }
