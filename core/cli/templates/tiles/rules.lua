-- Rule 1: a banner is printed beside a road.
rules.mark "banner" { on = "road" }

-- Rule 2: whoever scores the road gets points for each of its banners.
rules.items "banners" { of = "road", count = { mark = "banner" }, unit = rules.options.points, say = "banners" }
