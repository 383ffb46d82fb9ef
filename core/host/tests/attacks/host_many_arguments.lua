-- expect: more than 250
return function()
    host.echo(unpack(table.create(1000, 1)))
end
