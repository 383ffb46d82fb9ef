rules.cap "most" { of = "path", max = rules.players }
