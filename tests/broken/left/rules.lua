-- Fine by itself; see `right`.
rules.token "stone" { per_player = 1 }
