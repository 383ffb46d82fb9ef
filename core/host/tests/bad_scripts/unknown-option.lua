local function height()
  return rules.options.heigth
end
rules.cap "most" { of = "path", max = height() }
