-- IC-2: a completed road with an inn pays 2 a unit, an incomplete one nothing. Several inns are one inn.
rules.mark "inn" { on = "road" }
rules.rate "inn" { of = "road", where = { mark = "inn", completed = true }, tag = "per_unit", plus = 1 }

if rules.options.incomplete == "zero" then
  rules.void "inn_unpaid" { of = "road", where = { mark = "inn", completed = false }, say = "incomplete road with an inn" }
end
