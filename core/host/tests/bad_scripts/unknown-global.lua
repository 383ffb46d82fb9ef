local lamp = math.floor(2) + lmp
