-- expect: unknown name `_G`
_G.poison = 1
