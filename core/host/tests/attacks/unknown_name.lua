-- expect: unknown name `pears`
for _ in pears({}) do end
