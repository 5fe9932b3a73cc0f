"""The legal moves of Hex'el, listed only where somebody asks for all."""

from collections.abc import Collection, Iterator
from functools import cache, cached_property

from hexboard.games.hexel.actions import Action, Draw, Hedge, NoPlacement, Place, Redraw, Stake
from hexboard.games.hexel.cards import FACES, UNKNOWN
from hexboard.games.hexel.refusals import refusal
from hexboard.games.hexel.state import Room, State


class Moves(Collection[Action]):
    """What may be done in a position: `in` asks the rules of the one, the rest lists all, once."""

    def __init__(self, position: State) -> None:
        self.position = position

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Redraw):
            return self.position.phase == "line" and not self.position.can_line()
        moves = Draw | Place | Stake | Hedge | NoPlacement
        return isinstance(action, moves) and refusal(self.position, action) is None

    def __len__(self) -> int:
        return len(self._all)

    def __bool__(self) -> bool:
        return self.position.phase != "over"

    def __iter__(self) -> Iterator[Action]:
        return iter(self._all)

    @cached_property
    def _all(self) -> list[Action]:
        position = self.position
        match position.phase:
            case "draw" | "deal":
                return list(self._draws())
            case "line":
                faces = position.opening()
                row = _laid(position.line_cell)
                return [row[face] for face in faces] if faces else [Redraw()]
            case "stake":
                return [Stake(chips) for chips in range(1, position.setting.stock + 1)]
            case "hedge":
                return list(self._hedges())
            case "place":
                return self._placements(position.room())
        return []

    def _draws(self) -> Iterator[Action]:
        position = self.position
        if position.blind:
            yield Draw(UNKNOWN)
        if position.phase == "draw" or not position.setting.held:
            yield from (Draw(card) for card in sorted(set(position.unseen)))

    def _hedges(self) -> Iterator[Action]:
        position, stake = self.position, self.position.chips.stake
        for seat in position.inside:
            if seat not in position.hedged:
                least, stock = position.least_hedge(seat), position.chips.stock[seat]
                yield from (Hedge(seat, chips) for chips in range(least, stock + 1, stake))

    def _placements(self, room: Room) -> list[Action]:
        rows = ((_laid(cell), faces) for cell, faces in room)
        places: list[Action] = [row[face] for row, faces in rows for face in faces]
        if self.position.is_stuck(room):
            places += self._no_placements(room)
        return places

    def _no_placements(self, room: Room) -> Iterator[Action]:
        position = self.position
        if position.may_be_unknown:
            yield NoPlacement(UNKNOWN)
        hand = position.hands[position.turn]
        known = hand if position.setting.held else position.hopeless(room)
        yield from (NoPlacement(card) for card in sorted(set(known) - {UNKNOWN}))


@cache
def _laid(cell: int) -> tuple[Place, ...]:
    """Each face, laid in a cell."""
    return tuple(Place(cell, face) for face in range(len(FACES)))
