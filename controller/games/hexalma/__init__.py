"""HexAlma: stacks of discs on 61 cells; who stands stronger on the other's back row wins.

A game for two by Paschalis Antoniou. No licence of its text is stated, so none of it is here: the
rule ids ALMA-… are our own reading of it, B1..B9 our rulings where it is silent. What happens
without a legal move (B5), at repetition and after many plies (B6) are options; a loop of moves is a
draw at the third occurrence unless agreed otherwise.
"""

from hexboard.game.fields import ForeignFormat
from hexboard.game.game import Game
from hexboard.games.hexalma import record
from hexboard.games.hexalma.looks import APPEARANCE, SAMPLE
from hexboard.games.hexalma.position import (
    NAME,
    OPTIONS,
    Hexalma,
    board,
    parse,
    problem,
    rules,
    start,
)

GAME = Game(
    name=NAME,
    package=__name__,
    rules=rules,
    board=board,
    start=start,
    parse=parse,
    problem=problem,
    options=OPTIONS,
    touched=Hexalma,
    handled=Hexalma,
    phrased=Hexalma,
    arranging=Hexalma,
    notation=record.listed,
    move_count=Hexalma.move_count,
    appearance=APPEARANCE,
    sample=SAMPLE,
    foreign=ForeignFormat(record.write, record.read),
)

__all__ = ["GAME", "NAME", "OPTIONS", "Hexalma", "board", "parse", "rules", "start"]
