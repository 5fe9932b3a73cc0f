"""Knee Deep in Hexes: war on 31 sectors, with decks, secrets and fights a turn late.

A game for two; the rulebook (V1.02) is the publisher's and none of its text is here. Rule ids KDH-…
are those of our reading of it, KDH-A1 … A28 our rulings where it is silent. What the public text
does not tell (the map, the cards, some numbers) is data with a mark of how sure it is: `data/`,
`maps/`, `cards/`.
"""

from hexboard.game.fields import PagePart
from hexboard.game.game import Game
from hexboard.games.knee_deep.files import FILES, unit_labels
from hexboard.games.knee_deep.game import (
    board,
    earlier_rules,
    figures,
    parse,
    problem,
    rules,
    sectors,
    start,
)
from hexboard.games.knee_deep.looks import APPEARANCE, SAMPLE
from hexboard.games.knee_deep.position import KneeDeep
from hexboard.games.knee_deep.setting import NAME, OPTIONS

GAME = Game(
    name=NAME,
    package=__name__,
    rules=rules,
    earlier_rules=earlier_rules,
    board=board,
    start=start,
    parse=parse,
    problem=problem,
    options=OPTIONS,
    touched=KneeDeep,
    reaching=KneeDeep,
    handled=KneeDeep,
    marching=KneeDeep,
    chance=KneeDeep,
    hidden=KneeDeep,
    phrased=KneeDeep,
    arranging=KneeDeep,
    first_seat=lambda position: position.starter,
    withholding=KneeDeep,
    counted=KneeDeep,
    keeping=KneeDeep,
    figures=figures,
    appearance=APPEARANCE,
    sample=SAMPLE,
    areas=sectors,
    page=PagePart(script="widgets.js", style="style.css"),
    files=FILES,
    labels={"units": unit_labels},
)

__all__ = ["GAME", "NAME", "OPTIONS", "KneeDeep", "board", "figures", "parse", "rules", "start"]
