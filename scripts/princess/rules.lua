rules.mark "princess" { on = "city" }

rules.offer "princess" { -- PD-10: instead of a deployment, one knight of the city she joins
  options = { figures = { role = "knight", feature = { placed_mark = "princess" } } },
  does = "return",
  cause = "princess",
  causes = { "princess" },
  must = rules.options.action == "must",
}
