"""N-tuple tables: a position's value is the sum of table entries, one for each small pattern of its cells."""
