"""Hidden hands: no phone is ever sent a card that only somebody else may know.

What is dealt stands in the match itself, which a simulation may look into. What a phone is sent is
looked through as text, for every card that it may not know: nothing of how hexboard hides them is
asked.
"""

import re
from collections.abc import Iterable
from typing import Any

from hexboard.game.match import Match, Played
from hexboard.games.hexel.cards import CARD, CODES, FACES
from hexboard.games.hexel.position import Hexel
from hexboard.games.knee_deep.position import KneeDeep

FACE = re.compile(r"(?<![A-Z])[RBY]{6}(?![A-Z])")
WORD = re.compile(r"[a-z_]{5,}")
OPEN = ("place", "play", "recycle", "discard", "reveal", "retrieve")
"""What names a card that then lies open."""
LATEST = 8
"""So many positions at most come between two looks."""


class Hands:
    """Which cards of the matches of an evening are known to whom."""

    def __init__(self) -> None:
        self._match = ""
        self._at = 0
        self._open: set[str] = set()
        self._held: list[set[str]] = []
        self.looked = 0
        """So many texts were looked through in which a card could have stood."""

    def knows(self, name: str, match: Match[Any]) -> None:
        """What a match has come to: who has held which cards in it, and what lay open."""
        if name != self._match or self._at > len(match.entries):
            self._match, self._at, self._open = name, 0, set()
            self._held = [set() for _ in match.position.seats]
        elif self._at == len(match.entries):
            return
        for position in match.line[-LATEST:] if self._at else match.line:
            for seat, cards in enumerate(_hands(position)):
                self._held[seat].update(cards)
            self._open.update(_lying(position))
        for entry in match.entries[self._at :]:
            if isinstance(entry, Played) and entry.action.startswith(OPEN):
                self._open.update(cards_in(entry.action))
        self._at = len(match.entries)

    def hidden(self, match: Match[Any], sides: Iterable[int]) -> set[str]:
        """The cards in others' hands now of which who sits at these sides has never seen one."""
        hands = _hands(match.position)
        ours = set(sides)
        seen = set(self._open).union(*(self._held[it] for it in ours if it < len(hands)))
        others = (cards for seat, cards in enumerate(hands) if seat not in ours)
        return set().union(*others) - seen

    def found(self, text: str, match: Match[Any], sides: Iterable[int]) -> set[str]:
        """The cards in a text that who sits at these sides may not know."""
        hidden = self.hidden(match, sides)
        self.looked += bool(hidden)
        return hidden & cards_in(text) if hidden else set()


def _hands(position: Any) -> list[set[str]]:
    """The cards in each seat's hand."""
    if isinstance(position, Hexel):
        return [{FACES[card] for card in hand if card} for hand in position.hands]
    if isinstance(position, KneeDeep):
        held = [{position.card(card).id for card in hand if card} for hand in position.hands]
        for seat, laid in enumerate(position.laid):
            if laid > 0 and not position.shown[seat]:
                held[seat].add(position.card(laid).id)
        return held
    return []


def _lying(position: Any) -> set[str]:
    """The cards that lie open, beside those that somebody said."""
    if isinstance(position, Hexel):
        return {FACES[card] for card in position.drawn if card}
    if isinstance(position, KneeDeep):
        return {position.card(card).id for pile in position.discards for card in pile if card}
    return set()


def cards_in(text: str) -> set[str]:
    """The cards that a text may name, however they are turned."""
    faces = {FACES[CARD[CODES[face]]] for face in FACE.findall(text) if face in CODES}
    return faces | set(WORD.findall(text))
