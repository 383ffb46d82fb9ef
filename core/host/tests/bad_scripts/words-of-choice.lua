rules.resolve "word" { options = { words = { "yes; pass", "no\nB: pass", "", "A:", "yes", "yes" } }, run = function() end }
