lamp = 3
