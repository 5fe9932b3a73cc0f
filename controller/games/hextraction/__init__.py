"""Hextraction: balls roll down through tiles that people play.

The rules are the Tediously Comprehensive Rules, update 1 (2025-03-08); rule ids in refusals and
events are theirs. This is the first referee: rolls, paths, end-zone wins, destruction over the
side, Break the Loop, plays, turns, and the Offline and Overdrive flags, with tiles that only route.
Votes, effects, triggers, hands by identity and the three-ball rule have their place in
`position.py` but are not refereed yet.
"""

from controller.games.hextraction.position import NAME, Hextraction, parse, rules, start

__all__ = ["NAME", "Hextraction", "parse", "rules", "start"]
