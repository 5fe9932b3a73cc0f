"""Hextraction: balls roll down through tiles that people play.

The rules are the Tediously Comprehensive Rules, update 1 (2025-03-08); rule ids in refusals and
events are theirs. This is the first referee: rolls, paths, end-zone wins, destruction over the
side, Break the Loop, plays, turns, and the Offline and Overdrive flags, with tiles that only route.
Votes, effects, triggers, hands by identity and the three-ball rule have their place in
`position.py` but are not refereed yet.
"""

from controller.games.hextraction.position import NAME, OPTIONS, Hextraction, parse, rules, start
from controller.games.position import Options


def board(options: Options) -> str:
    """The board it is played on where nobody chose one."""
    return "hextraction-22"


__all__ = ["NAME", "OPTIONS", "Hextraction", "board", "parse", "rules", "start"]
