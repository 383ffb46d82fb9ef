-- TB-11: 1 more for each city, for whoever scores the field.
rules.mark "pig-herd" { on = "field" }
rules.rate "pig_herd" { of = "field", where = { mark = "pig-herd" }, tag = "per_city", plus = 1 }
