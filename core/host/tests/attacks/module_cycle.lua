-- expect: in a circle
require './first'
