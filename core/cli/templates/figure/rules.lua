-- Rule 1: everyone has one {{name}}. It is special: it claims nothing and counts for no majority.
rules.figure "{{id}}" {
  per_player = 1,
  class = "special", -- "follower" would claim and count
  seats = { "road", "city" }, -- where it may stand
  leaves = { "scored", "eaten" }, -- why it may leave; left out: whatever asks for it
}

-- Rule 2: it goes where its owner has a follower. Every refusal has a name and a sentence; players see the sentence.
rules.forbid "no_company" {
  on = "deploy",
  figure = "{{id}}",
  unless = { feature = { has = { class = "follower", owner = "own" } } },
  say = "no follower of yours is here",
}

-- Rule 3: when its feature is scored, its owner gets points of its own, a line in the ledger.
rules.award "{{id}}" {
  at = "score",
  figure = "{{id}}",
  to = "owner",
  points = rules.options.points,
}
