"""The library: games, matches and recordings for other programs, by what people call things.

`import hexboard` has all of this as its own (`hexboard.start`, `hexboard.Match`, `hexboard.open`).
"""
