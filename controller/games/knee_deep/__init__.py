"""Knee Deep in Hexes: war on 31 sectors, with decks, secrets and fights a turn late.

A game for two; the rulebook (V1.02) is the publisher's and none of its text is here. Rule ids KDH-…
are those of our reading of it, KDH-A1 … A28 our rulings where it is silent. What the public text
does not tell (the map, the cards, some numbers) is data with a mark of how sure it is: `data/`,
`maps/`, `cards/`.
"""

from controller.games.knee_deep.game import board, figures, parse, rules, start
from controller.games.knee_deep.position import KneeDeep
from controller.games.knee_deep.setting import NAME, OPTIONS

__all__ = ["NAME", "OPTIONS", "KneeDeep", "board", "figures", "parse", "rules", "start"]
