-- expect: write "./name"
require './../victim/rules'
