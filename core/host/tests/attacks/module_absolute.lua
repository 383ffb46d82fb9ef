-- expect: write "./name"
require '/etc/passwd'
