if rules.options.wings.lfet then rules.mark "lamp" { on = "path" } end
