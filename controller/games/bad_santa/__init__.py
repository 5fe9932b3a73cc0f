"""Bad Santa: connection games in which one of the counters you place becomes your opponent's.

Bad Santa Hex is by Raymond Gallardo, who names Bad Santa Y and Bad Santa Cross in one sentence
beside it; Cross is by Cameron Browne. No licence of the text is stated, so none of it is here: the
rule ids BSH-… are our own reading of it, C1..C10 our rulings where it is silent. Too few cells for
a full turn (C1), labels (C10), the die (C6), the swap (C9) and who begins (BSH-1.3) are options.

`hex`, `y` and `cross` are the games; what they share is `ground` (cells and goals), `groups` (what
hangs together), `choice` (where a turn may still go), `position` and `text`; `sgf` writes and reads
for others.
"""

from hexboard.games.bad_santa.position import BadSanta

__all__ = ["BadSanta"]
