-- Scripts see the functions of the sandbox and `rules`; nothing else.
std = {
  read_globals = {
    "rules", "require", "error", "assert", "select", "type", "tostring", "tonumber",
    "pairs", "ipairs", "next", "sorted_pairs", "unpack", "rawequal", "rawget", "rawlen",
    "math", "string", "table", "utf8",
  },
}
max_line_length = 160
exclude_files = { "scripts/types" }
