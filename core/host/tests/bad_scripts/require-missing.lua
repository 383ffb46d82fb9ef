local more = require "./more"
