"""Sight: what a camera says of a board of tiles and balls, beside its sensors.

A reading of the board at rest settles what sensors leave open: which tile lies in a slot and how it
is turned, and where a ball lies that nobody felt. It says nothing against a sensor.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from controller.board import Board
from controller.games.hextraction.actions import Action, Goal, OfBall, Rest
from controller.games.hextraction.position import Hextraction, Placed
from controller.perception.inference import GAP, Cell
from controller.perception.readings import Ruling

ZONE = "zone:"


def tile(
    cell: Cell, names: Sequence[str], believed: Iterable[Placed | None]
) -> list[Placed | None]:
    """What may lie in a slot by a reading: one thing where it is certain, None for no tile; nothing
    where the reading says nothing. What is `believed` to lie there is, unless the reading is sure
    that it does not: many tiles look the same turned."""
    likely = [_placed(code, names) for code, cost in cell if cost < GAP]
    return [placed for placed in believed if placed in likely][:1] or likely


def _placed(code: int, names: Sequence[str]) -> Placed | None:
    """A code of `Hextraction.seen`."""
    return Placed(names[(code - 1) // 6], (code - 1) % 6) if code else None


def lying(board: Board, places: Iterable[str]) -> Counter[str]:
    """The balls that a camera can see: on slots, seams and in end zones; not in a ramp's lanes."""
    lanes, zones = {ramp.id for ramp in board.ramps}, {zone.id for zone in board.zones}
    seen = (ZONE + place if place in zones else place for place in places)
    return Counter(place for place in seen if place not in lanes)


def agrees(board: Board, seen: Counter[str], position: Hextraction, answer: Action) -> bool:
    """Whether balls lie as they would if an answer about one of them were true."""
    if not isinstance(answer, OfBall):
        return False
    places = [ball.place for ball in position.balls if ball.id != answer.ball]
    match answer:
        case Rest(_, place):
            places.append(place)
        case Goal(_, zone):
            places.append(ZONE + zone)
    return lying(board, places) == seen


def comes_to(board: Board, seen: Counter[str], ruling: Ruling) -> bool:
    """Whether balls lie as a reading of a whole roll has it."""
    if ruling.win:
        return any(place.startswith(ZONE) for place in seen)
    return lying(board, ruling.rests) == seen
