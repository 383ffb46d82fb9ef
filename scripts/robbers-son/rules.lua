-- The princess for roads: the robber comes home to his son.
rules.mark "son" { on = "road" } -- RS-1

rules.offer "send_home" { -- RS-2, RS-3: instead of a deployment, one robber of the road that the son is on
  options = { figures = { role = "robber", feature = { placed_mark = "son" } } },
  does = "return",
  cause = "son",
  causes = { "son" },
  must = rules.options.action == "must", -- RS-4
}
