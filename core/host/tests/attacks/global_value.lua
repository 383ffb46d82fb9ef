-- expect: globals are not allowed
poison = 1
