-- expect: write "./name"
require({})
