-- expect: there is no such file
require './nothing'
