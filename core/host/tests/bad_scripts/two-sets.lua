rules.set "low" { of = "path", to = 1 }
rules.set "high" { of = "path", to = 9 }
