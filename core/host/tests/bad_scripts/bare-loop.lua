local names = { lamp = 1, bell = 2 }
for name, count in names do
  rules.mark (name) { on = "path" }
end
