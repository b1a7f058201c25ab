"""Boardwright as somebody else's engine: `piskvork` for Gomocup's managers, `json_lines` for programs of any kind."""
