local letters = ("abcdefgh"):gmatch(".")
rules.react "count" { on = "deployed", run = function() letters() end }
