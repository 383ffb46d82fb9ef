-- IC-3: a completed city with a cathedral pays 3 a unit, an incomplete one nothing. Several are one.
rules.mark "cathedral" { on = "city" }
rules.rate "cathedral" { of = "city", where = { mark = "cathedral", completed = true }, tag = "per_unit", plus = 1 }

if rules.options.incomplete == "zero" then
  rules.void "cathedral_unpaid" { of = "city", where = { mark = "cathedral", completed = false }, say = "incomplete city with a cathedral" }
end
