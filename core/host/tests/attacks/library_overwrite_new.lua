-- expect: readonly
table.poison = 1
