"""The games that come with hexboard, one folder each. Nothing outside a folder imports it: they are
found by what they declare (`hexboard.game`)."""
