rules.rate "half" {
  of = "path", times = 0.5 }
