-- expect: readonly
table.insert(table, 'poison')
