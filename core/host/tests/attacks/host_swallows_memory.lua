-- expect: ran for more than
return function()
    while true do host.swallow(function() local text = 'x' while true do text = text .. text end end) end
end
