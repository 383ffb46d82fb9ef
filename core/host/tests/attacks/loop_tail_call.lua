-- expect: stack overflow
return function()
    local function again() return again() end
    again()
end
