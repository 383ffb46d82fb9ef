local function worth(t)
  return t.feature.tiles
end
local all = worth({})
rules.cap "most" { of = "path", max = all }
