"""Hex'el: cards with a symbol at each edge are laid side by side until three meet in six alike.

By Michael Corry, Games of the Galaxy (www.gamesofthegalaxy.com/hexelqr), CC BY-NC-ND: the rules are
told in our own words. Refusals and events carry rule ids HEXEL-n; where the text is silent or at
odds with itself a ruling HEXEL-An decides: symbols sit on edges (A1), the deck is data (A2), the
opening line may be ordered and turned freely (A4), who is stuck pays as for 0 edges (A5), Hedge
payments are multiples of the Stake, 0 allowed (A6), the first placement of a round owes nothing
(A8), the previous player is the nearest one still in (A9), the cards have run out when a full deal
is not possible (A10) and the last one left wins (A11). Most of these are options.
"""

from hexboard.game.fields import FileKind, PagePart
from hexboard.game.game import Game
from hexboard.games.hexel.deck import check, is_deck
from hexboard.games.hexel.game import (
    board,
    carries,
    departed,
    earlier_rules,
    parse,
    problem,
    rules,
    start,
)
from hexboard.games.hexel.looks import APPEARANCE, SAMPLE, card_labels
from hexboard.games.hexel.notation import notation
from hexboard.games.hexel.position import Hexel
from hexboard.games.hexel.setting import NAME, OPTIONS

GAME = Game(
    name=NAME,
    package=__name__,
    rules=rules,
    earlier_rules=earlier_rules,
    board=board,
    start=start,
    parse=parse,
    problem=problem,
    departed=departed,
    options=OPTIONS,
    carries=carries,
    beginners={"chips": "off"},
    touched=Hexel,
    handled=Hexel,
    arranging=Hexel,
    blaming=Hexel,
    chance=Hexel,
    hidden=Hexel,
    phrased=Hexel,
    withholding=Hexel,
    counted=Hexel,
    notation=notation,
    appearance=APPEARANCE,
    labels={"cards": card_labels},
    sample=SAMPLE,
    page=PagePart(script="widgets.js", style="style.css"),
    files=(FileKind("deck", is_deck, check),),
)

__all__ = ["GAME", "NAME", "OPTIONS", "Hexel", "board", "parse", "rules", "start"]
