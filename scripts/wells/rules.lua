-- WE-1, WE-5: a well is printed on a road; it is no feature and no place for a figure.
rules.mark "well" { on = "road" }
-- WE-2, WE-4: 1 more for each well. WE-3: whatever changes the road's unit changes the well's.
rules.items "wells" { of = "road", count = { mark = "well" }, unit = 1, tag = "per_unit" }
