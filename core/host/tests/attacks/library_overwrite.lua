-- expect: readonly
function string.rep() return 'poison' end
