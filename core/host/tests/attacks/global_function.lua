-- expect: globals are not allowed
function poison() end
