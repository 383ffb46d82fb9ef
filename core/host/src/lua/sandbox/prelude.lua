-- Replaces what the library does without bounds, without order or with addresses. Run once, before the library is
-- frozen. Helpers that report errors are called by the function the script called, hence level 3.

local charge, text, unpack, call_number = ...
local raw_error, raw_tostring, raw_tonumber, raw_setmetatable = error, tostring, tonumber, setmetatable
local type, next, select, rawget, rawlen, floor = type, next, select, rawget, rawlen, math.floor
local raw_string, raw_table, raw_utf8 = {}, {}, {}
for name, value in next, string do raw_string[name] = value end
for name, value in next, table do raw_table[name] = value end
for name, value in next, utf8 do raw_utf8[name] = value end

local TEXT = 65536 -- bytes of a text given to a library function
local SUBJECT = 4096 -- bytes of a text searched with a pattern
local PATTERN = 256 -- bytes of a pattern
local RANGE = 65536 -- entries of a table moved at once
local SPREAD = 250 -- values returned at once
local ARGUMENTS = 64 -- values given to format
local MESSAGE = 1000 -- bytes of an error message

-- Errors ----------------------------------------------------------------------------------------------------------

local function shown(value)
    local kind = type(value)
    if kind == "string" then return value end
    if kind == "number" or kind == "boolean" or kind == "nil" then return raw_tostring(value) end
    return text(value)
end

local function message_of(value)
    local message = shown(value)
    if #message > MESSAGE then message = raw_string.sub(message, 1, MESSAGE) .. "..." end
    return message
end

function tostring(value)
    return shown(value)
end

function error(message, level)
    level = raw_tonumber(level) or 1
    raw_error(message_of(message), if level > 0 then level + 1 else 0)
end

function assert(value, ...)
    if value then return value, ... end
    local message = ...
    raw_error(if message == nil then "assertion failed" else message_of(message), 2)
end

function tonumber(value, base)
    if type(value) == "string" and #value > PATTERN then return nil end
    if base == nil then return raw_tonumber(value) end
    return raw_tonumber(value, base)
end

-- Iterators ------------------------------------------------------------------------------------------------------

-- What goes on from where it stopped must not do so in a later call: it would remember.
local function of_this_call(iterator, what)
    local own = call_number()
    return function()
        if call_number() ~= own then raw_error(what .. ": this iterator is of an earlier call", 2) end
        return iterator()
    end
end

-- Checks ----------------------------------------------------------------------------------------------------------

local function measured(value, limit, what, level)
    if type(value) == "number" then return 32 end
    if type(value) ~= "string" then raw_error(what .. " must be text, not " .. type(value), level or 3) end
    if #value > limit then raw_error(what .. " is longer than " .. limit .. " bytes", level or 3) end
    return #value
end

local function whole(value, what)
    local number = raw_tonumber(value)
    if not number or number ~= floor(number) or number > 2 ^ 53 or number < -2 ^ 53 then
        raw_error(what .. " must be a whole number", 3)
    end
    return number
end

local function length(list, what)
    if type(list) ~= "table" then raw_error(what .. " needs a table, not " .. type(list), 3) end
    return rawlen(list)
end

local function within(count, limit, what)
    if count > limit then raw_error(what .. ": " .. count .. " values are more than " .. limit, 3) end
end

-- Texts -----------------------------------------------------------------------------------------------------------

-- A pattern may look at every byte once for each byte.
local function scan(subject, pattern, what)
    local n = measured(subject, SUBJECT, what .. ": the text", 4)
    measured(pattern, PATTERN, what .. ": the pattern", 4)
    if n > 256 then charge(n * n // 512) end
    return n
end

function string.rep(value, count)
    local n = measured(value, TEXT, "rep: the text")
    count = whole(count, "rep: the count")
    if count > TEXT or n * count > TEXT then raw_error("rep: the result is longer than " .. TEXT .. " bytes", 2) end
    if n * count > 256 then charge(n * count // 64) end
    return raw_string.rep(value, count)
end

function string.find(subject, pattern, init, plain)
    if plain then
        local n = measured(subject, TEXT, "find: the text")
        local m = measured(pattern, SUBJECT, "find: the pattern")
        if n * m > 4096 then charge(n * m // 4096) end
    else
        scan(subject, pattern, "find")
    end
    return raw_string.find(subject, pattern, init, plain)
end

function string.match(subject, pattern, init)
    scan(subject, pattern, "match")
    return raw_string.match(subject, pattern, init)
end

function string.gmatch(subject, pattern)
    scan(subject, pattern, "gmatch")
    return of_this_call(raw_string.gmatch(subject, pattern), "gmatch")
end

function string.gsub(subject, pattern, with, count)
    local n = scan(subject, pattern, "gsub")
    if type(with) == "string" then
        measured(with, SUBJECT, "gsub: the replacement")
        if n * #with > 4096 then charge(n * #with // 256) end
    end
    return raw_string.gsub(subject, pattern, with, count)
end

function string.byte(value, from, to)
    from = whole(from or 1, "byte: the first place")
    to = whole(to or from, "byte: the last place")
    local n = measured(value, TEXT, "byte: the text")
    within((if to < 0 then to + n else to) - (if from < 0 then from + n else from), SPREAD, "byte")
    return raw_string.byte(value, from, to)
end

function string.format(form, ...)
    local size = measured(form, SUBJECT, "format: the form")
    local count = select("#", ...)
    within(count, ARGUMENTS, "format")
    local given = { ... }
    for i = 1, count do
        local value = given[i]
        if type(value) == "table" or type(value) == "userdata" or type(value) == "function" then
            value = text(value)
            given[i] = value
        end
        if type(value) == "string" then size += #value end
    end
    if size > TEXT then raw_error("format: the result is longer than " .. TEXT .. " bytes", 2) end
    if size > 256 then charge(size // 64) end
    return raw_string.format(form, unpack(given, 1, count))
end

for _, name in { "lower", "upper", "reverse" } do
    local raw = raw_string[name]
    string[name] = function(value)
        local n = measured(value, TEXT, name .. ": the text")
        if n > 256 then charge(n // 64) end
        return raw(value)
    end
end

for _, name in { "codepoint", "codes", "len", "offset" } do
    local raw = raw_utf8[name]
    utf8[name] = function(value, ...)
        if measured(value, SUBJECT, name .. ": the text") > 256 then charge(#value // 16) end
        return raw(value, ...)
    end
end

-- Tables ----------------------------------------------------------------------------------------------------------

function table.concat(list, separator, from, to)
    local n = length(list, "concat")
    if separator ~= nil then measured(separator, SUBJECT, "concat: the separator") end
    from, to = whole(from or 1, "concat: the first place"), whole(to or n, "concat: the last place")
    within(to - from, RANGE, "concat")
    if to - from > 64 then charge((to - from) // 8) end
    return raw_table.concat(list, separator, from, to)
end

function table.insert(list, ...)
    local n = length(list, "insert")
    if select("#", ...) > 1 then
        local place = whole((...), "insert: the place")
        if place < 1 or place > n + 1 then raw_error("insert: the place is not in the list", 2) end
        if n - place > 256 then charge((n - place) // 32) end
    end
    return raw_table.insert(list, ...)
end

function table.remove(list, place)
    local n = length(list, "remove")
    place = whole(place or n, "remove: the place")
    if place > 0 and n - place > 256 then charge((n - place) // 32) end
    return raw_table.remove(list, place)
end

function table.sort(list, before)
    local n = length(list, "sort")
    within(n, RANGE, "sort")
    if n > 32 then charge(n * 4) end
    raw_table.sort(list, before)
end

function table.move(list, from, to, at, into)
    length(list, "move")
    from, to = whole(from, "move: the first place"), whole(to, "move: the last place")
    at = whole(at, "move: the target")
    within(to - from, RANGE, "move")
    if to - from > 64 then charge((to - from) // 16) end
    return raw_table.move(list, from, to, at, into or list)
end

function table.create(count, value)
    count = whole(count, "create: the count")
    within(count, RANGE, "create")
    if count > 256 then charge(count // 16) end
    return raw_table.create(count, value)
end

function table.unpack(list, from, to)
    local n = length(list, "unpack")
    from, to = whole(from or 1, "unpack: the first place"), whole(to or n, "unpack: the last place")
    within(to - from + 1, SPREAD, "unpack")
    return unpack(list, from, to)
end

getfenv(1).unpack = table.unpack

-- A weak table forgets when the collector runs, which is not the same in every game. Frozen, so that none becomes
-- weak later.
function setmetatable(value, meta)
    length(value, "setmetatable")
    if meta ~= nil then
        length(meta, "setmetatable")
        if rawget(meta, "__mode") ~= nil or rawget(meta, "__gc") ~= nil then
            raw_error("setmetatable: __mode and __gc are not allowed", 2)
        end
        if not raw_table.isfrozen(meta) then raw_table.freeze(meta) end
    end
    return raw_setmetatable(value, meta)
end

-- Iteration -------------------------------------------------------------------------------------------------------

local function check_key(key, level)
    local kind = type(key)
    if kind ~= "string" and kind ~= "number" and kind ~= "boolean" and kind ~= "nil" then
        raw_error("a table with a " .. kind .. " as key has no fixed order: use texts, numbers or booleans", level)
    end
end

local raw_next = next
local function checked_next(list, key)
    length(list, "next")
    local after, value = raw_next(list, key)
    check_key(after, 3)
    return after, value
end

getfenv(1).next = checked_next

function pairs(list)
    length(list, "pairs")
    for key in raw_next, list do
        check_key(key, 3)
    end
    return checked_next, list, nil
end

local RANK = { boolean = 1, number = 2, string = 3 }

local function key_before(a, b)
    local x, y = type(a), type(b)
    if x ~= y then return RANK[x] < RANK[y] end
    if x == "boolean" then return not a and b end
    return a < b
end

function sorted_pairs(list)
    length(list, "sorted_pairs")
    local keys, count, at = {}, 0, 0
    for key in raw_next, list do
        check_key(key, 3)
        count += 1
        keys[count] = key
    end
    raw_table.sort(keys, key_before)
    return of_this_call(function()
        at += 1
        local key = keys[at]
        return key, if key == nil then nil else list[key]
    end, "sorted_pairs")
end
