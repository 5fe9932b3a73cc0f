"""Sight: what a camera says of a board of tiles and balls, beside its sensors.

A reading of the board at rest settles what sensors leave open: which tile lies in a slot and how it
is turned, and where a ball lies that nobody felt. It says nothing against a sensor; where it sees
other balls than are known, people are asked. A ball that leans on a wall lies in its slot for a
camera, and on the seam for a sensor: near by is the same place, unless two answers differ in that.
"""

from collections import Counter
from collections.abc import Iterable

from hexboard.board import Board
from hexboard.facts import CellCosts
from hexboard.games.hextraction.rules.actions import Action, ByBall, Goal, Rest
from hexboard.games.hextraction.rules.position import Hextraction, Placed
from hexboard.games.hextraction.tiles.catalogue import codes
from hexboard.games.hextraction.tracking.outcome import RollOutcome
from hexboard.perception.inference import GAP_CNAT

ZONE = "zone:"
Odd = tuple[tuple[str, ...], tuple[str, ...]]
"""Places of balls that are seen and not known, and of those that are known and not seen."""
NOTHING: Odd = (), ()


def tile(
    cell: CellCosts, kinds: Iterable[str], believed: Iterable[Placed | None]
) -> list[Placed | None]:
    """What may lie in a slot by a reading: one thing where it is certain, None for no tile; nothing
    where the reading says nothing. What is `believed` to lie there is, unless the reading is sure
    that it does not: many tiles look the same turned."""
    likely, code = [code for code, cost in cell if cost < GAP_CNAT], codes(tuple(kinds))
    known = [placed for placed in believed if (code.get(placed.way) if placed else 0) in likely]
    placed = {number: Placed(*way) for way, number in code.items()}
    return known[:1] or [placed.get(number) for number in likely]


def lying(board: Board, places: Iterable[str]) -> Counter[str]:
    """The balls that a camera can see: on slots, seams and in end zones; not in a ramp's lanes."""
    lanes, zones = {ramp.id for ramp in board.ramps}, {zone.id for zone in board.zones}
    seen = (ZONE + place if place in zones else place for place in places)
    return Counter(place for place in seen if place not in lanes)


def known(board: Board, position: Hextraction) -> tuple[str, ...]:
    """Where a camera should see the balls of a position at rest, as it names places."""
    places = lying(board, (ball.place for ball in position.balls)).elements()
    return tuple(sorted(place.removeprefix(ZONE) for place in places))


def odd(board: Board, seen: Counter[str], want: Counter[str]) -> Odd:
    """Where balls are seen and none is known to lie near by, and the other way round."""
    more, fewer = sorted((seen - want).elements()), sorted((want - seen).elements())
    for place in tuple(more):
        near = next((other for other in fewer if _near(board, place, other)), None)
        if near is not None:
            more.remove(place)
            fewer.remove(near)
    return tuple(more), tuple(fewer)


def agrees(
    board: Board, seen: Counter[str], position: Hextraction, answer: Action
) -> tuple[bool, bool]:
    """Whether balls lie as they would if an answer about one of them were true; or near there."""
    if not isinstance(answer, ByBall):
        return False, False
    places = [ball.place for ball in position.balls if ball.id != answer.ball]
    match answer:
        case Rest(_, place):
            places.append(place)
        case Goal(_, zone):
            places.append(ZONE + zone)
    return _alike(board, seen, lying(board, places))


def comes_to(board: Board, seen: Counter[str], ruling: RollOutcome) -> tuple[bool, bool]:
    """Whether balls lie as a reading of a whole roll has it; or near there."""
    if ruling.win:
        won = any(place.startswith(ZONE) for place in seen)
        return won, won
    return _alike(board, seen, lying(board, ruling.rests))


def _alike(board: Board, seen: Counter[str], want: Counter[str]) -> tuple[bool, bool]:
    return seen == want, odd(board, seen, want) == NOTHING


def _near(board: Board, one: str, other: str) -> bool:
    """Whether a ball that lies at one place may be said to lie at the other: a slot and one of its
    seams, an end zone and the slot before it."""
    before = {ZONE + zone.id: zone.cell for zone in board.zones}
    slots, others = (set(before.get(place, place).split("-")) for place in (one, other))
    return slots < others or others < slots or before.get(one) == other or before.get(other) == one
