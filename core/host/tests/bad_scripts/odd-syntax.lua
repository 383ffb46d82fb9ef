@[native] local function far() end
