-- expect: globals are not allowed
pairs = nil
