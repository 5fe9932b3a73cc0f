"""Looks: what a camera sees of Hex'el: the cards as they lie."""

from pathlib import Path

from hexboard.appearance import Appearance, Labels, Look
from hexboard.games.hexel.cards import FACES
from hexboard.games.hexel.deck import SHIPPED, deck
from hexboard.games.hexel.position import Hexel

LOOKS = tuple(Look(face=face) for face in FACES)


def looks(position: Hexel) -> tuple[Look, ...]:
    """The same in every position."""
    return LOOKS


APPEARANCE = Appearance(looks)


def card_labels(home: Path) -> Labels:
    """The deck that is played with where nobody says otherwise."""
    return Labels(cards=tuple(FACES[card] for card in deck(SHIPPED[0])))


SAMPLE = (
    "deck=96b26487 phase=place turn=1 round=5 table=0,-4:RRYRRY;1,-4:BBRRRR;2,-4:BRBBBR;3,"
    "-4:BRBBRB;-1,-3:BRRRRR;1,-3:RBRRRB;3,-3:BBBBBY;1,-2:YBBBYY;3,-2:YRYRRR;-1,-1:YYBYBY;0,"
    "-1:YYYYBB;4,-1:RRYYYR;-3,0:RRRBBB;-1,0:YBYYBY;0,0:YBBYBY;1,0:YBBYBB;2,0:RYRYYY;3,"
    "0:YYYRRY;4,0:YYRYYR;-3,1:BBBBBR;-2,1:RBRBBR;1,1:YYBYYY;-4,2:RBBBBR;-2,2:YYRYYY;0,"
    "2:BYBYBB;1,2:YBYBYB;2,2:BBYYBB;-2,3:RRYYRR;1,3:BBBBBB;-2,4:RRRRYR;-1,4:RYYRRY;0,"
    "4:RBRRBR spot=1,3 placer=0 drawn= hands=;? discards=; out= hedged=0;1 edges=3;2 "
    "latest=3 winner=- eyes=- stake=31 stock=9;9 hedge=0;0 pot=31;31"
)
"""A game under way, for pictures of it."""
