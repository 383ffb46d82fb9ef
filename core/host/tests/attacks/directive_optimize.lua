-- expect: compiler directives
--!optimize 2
return vector.one
