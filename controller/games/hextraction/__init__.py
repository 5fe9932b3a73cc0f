"""Hextraction: balls roll down through tiles that people play.

The rules are the Tediously Comprehensive Rules, update 1 (2025-03-08); rule ids in refusals and
events are theirs. A module each: what there is (`state`), balls that are rolled (`rolling`), the
turn (`turn`), votes (`voting`), effects that wait and are resolved (`causes`, `resolving`,
`operations`), what follows by itself until the game is stable (`stabilising`), what may be done
(`moves`), where tiles are (`zones`, `hands`) and may be played (`legality`, `playing`), how they
leave (`destroying`, `combos`, `leaving`), who knows what (`secrets`), how it is written (`text`),
and all of that as one `position`.
"""

from controller.games.hextraction.position import NAME, OPTIONS, Hextraction, parse, rules, start
from controller.games.position import Options


def board(options: Options) -> str:
    """The board it is played on where nobody chose one."""
    return "hextraction-22"


__all__ = ["NAME", "OPTIONS", "Hextraction", "board", "parse", "rules", "start"]
