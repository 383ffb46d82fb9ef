-- expect: ok
-- State in an upvalue is not the sandbox's business: the syntax check at load and the amnesia check find it.
local count = 0
local list = {}
return function()
    count += 1
    list[#list + 1] = count
end
