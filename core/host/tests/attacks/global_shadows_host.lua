-- expect: readonly
host = nil
