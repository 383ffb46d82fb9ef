-- expect: readonly
host.echo = nil
