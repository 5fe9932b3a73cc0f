"""Where a disc can go: stacks, boards and moves as numbers, and every legal move of a board.

A *stack* is an int: a leading 1, then one bit a disc from the bottom up, 0 black and 1 white. So 1
is an empty cell, 2 is B, 3 is W, 6 is WB with black on top; lifting the top disc is a shift to the
right. A *board* is 62 bytes: the stacks of a1, a2 … i5, then the seat to move (0 black, 1 white).
A *move* is the cell left x 64 + the cell landed on.
"""

from collections.abc import Iterable
from functools import cache

from hexboard.board import POINTY_STEPS, hexhex

SHAPE = hexhex(5)
CELLS = tuple(id for id, _ in SHAPE.cells)
"""The 61 cells a1, a2 … i5, in the board's order (ALMA-1.1)."""
NUMBER = {id: number for number, id in enumerate(CELLS)}
PLACE = {place: number for number, (_, place) in enumerate(SHAPE.cells)}
SEAT = len(CELLS)
"""Where in a board the seat to move stands."""
BACK = (slice(0, 5), slice(56, 61))
"""The back row of each seat (ALMA-1.4)."""
EMPTY = 1
HIGHEST = 3
"""ALMA-2.3."""
STACKS = range(2, 16)
HEIGHT = bytes(max(stack.bit_length() - 1, 0) for stack in range(16))
LANDS = bytes((0, 1, 2, 2)[height] for height in HEIGHT)
"""The highest target for a disc that leaves a stack (ALMA-3.7, ALMA-3.8)."""


def legal(board: bytes) -> list[int]:
    """Every move of the seat to move (ALMA-3), by cell left and direction."""
    room = int(board.translate(_ROOM), 4)
    mine = int.from_bytes(board.translate(_MINE[board[SEAT]]), "little") & _LANES
    moves: list[int] = []
    for stack in mine.to_bytes(SEAT, "little").translate(None, b"\0"):
        ways, onto = _RAYS[stack]
        moves += onto[ways & room]
    return moves


def count(board: bytes) -> int:
    """How many moves `legal` lists: those that the mover's stacks would have if each cell had room,
    less those onto stacks that are too high."""
    stacks = int.from_bytes(board.translate(_STACKS[board[SEAT]]), "little")
    number = 2 * (stacks & _TWICE).bit_count() + (stacks & _ONCE).bit_count()
    heights = (stacks & _HEIGHTS | _NUMBERS).to_bytes(SEAT, "little")
    for high in heights.translate(None, _NOT_HIGH):
        number -= (stacks & _BARRED[high]).bit_count()
    return number


def gain(board: bytes, move: int) -> int | None:
    """By how much a move changes `lead` for its seat; None if it is not among `legal`."""
    return _GAINS[board[SEAT]][move][board[move >> 6] << 4 | board[move & 63]]


def straight(move: int) -> bool:
    """Whether a move keeps to one of the six directions, at whatever distance (ALMA-3.2)."""
    (q, r), (to_q, to_r) = (SHAPE.cells[cell][1] for cell in divmod(move, 64))
    return (q == to_q) + (r == to_r) + (q + r == to_q + to_r) == 1


def moved(board: bytes, move: int) -> bytes:
    """The board after a move; the other seat is to move."""
    after = bytearray(board)
    stack, onto = board[move >> 6], move & 63
    after[move >> 6] = stack >> 1
    after[onto] = after[onto] << 1 | stack & 1
    after[SEAT] ^= 1
    return bytes(after)


def unmoved(board: bytes, move: int) -> bytes:
    """The board before a move: the inverse of `moved`."""
    return passed(moved(passed(board), (move & 63) << 6 | move >> 6))


def passed(board: bytes) -> bytes:
    """The same stacks with the other seat to move (B5)."""
    return board[:SEAT] + bytes((board[SEAT] ^ 1,))


def counted(board: bytes, seat: int) -> int:
    """How many active discs of a seat stand on the other's back row (ALMA-4.2, ALMA-4.4)."""
    return len(board[BACK[1 - seat]].translate(None, _NOT_OF[seat]))


def lead(board: bytes) -> int:
    """By how many counted discs the seat to move is ahead; above 0 it wins (ALMA-4.2)."""
    seat = board[SEAT]
    return counted(board, seat) - counted(board, 1 - seat)


def discs(board: bytes, seat: int) -> int:
    """How many discs a seat has, active or covered."""
    white = sum(stack.bit_count() - 1 for stack in board[:SEAT])
    return white if seat else sum(HEIGHT[stack] for stack in board[:SEAT]) - white


def between(before: bytes, after: bytes) -> int | None:
    """The move that made one board of another; None if no disc was moved."""
    stacks, others = before[:SEAT], after[:SEAT]
    changed = int.from_bytes(stacks, "little") ^ int.from_bytes(others, "little")
    if not changed:
        return None
    one, other = ((bits.bit_length() - 1) // 8 for bits in (changed & -changed, changed))
    if HEIGHT[after[one]] < HEIGHT[before[one]]:
        return one << 6 | other
    return other << 6 | one


# ----------------------------------------------------------------------------------- tables


def _of(seat: int) -> set[int]:
    return {stack for stack in STACKS if stack & 1 == seat}


_NOT_OF = tuple(bytes({*range(16)} - _of(seat)) for seat in (0, 1))
_MINE = tuple(
    bytes(HEIGHT[stack] << 6 | 63 if stack in stacks else 0 for stack in range(256))
    for stacks in (_of(0), _of(1))
)
"""By seat and stack: the height as bits 6 and 7, and room for the number of a cell."""
_LANES = int.from_bytes(bytes(3 << 6 | cell for cell in range(SEAT)), "little")
_ROOM = b"0" + b"333" + b"2222" + b"0" * 248
"""By stack: the room of a cell as a digit to the base of 4. Bit 0: a disc from height 1 can land
there; bit 1: one from height 2 or 3 (ALMA-3.8). What stands at `SEAT` is the last digit."""

Rays = tuple[int, dict[int, tuple[int, ...]]]
"""The ways of a stack, each a bit of the board's room; and its moves by those that have room."""


def _rays(cell: int, height: int) -> Rays:
    """The moves of a stack: each direction at its full distance, if on the board (ALMA-3.2)."""
    if height == 0 or cell >= SEAT:
        return 0, {0: ()}
    q, r = SHAPE.cells[cell][1]
    ways, onto = 0, {0: tuple[int, ...]()}
    for dq, dr in POINTY_STEPS:
        target = PLACE.get((q + height * dq, r + height * dr))
        if target is not None:
            bit = (1 if height == 1 else 2) << 2 * (SEAT - target)
            ways |= bit
            onto |= {room | bit: (*moves, cell << 6 | target) for room, moves in onto.items()}
    return ways, onto


_RAYS = tuple(_rays(lane & 63, lane >> 6) for lane in range(4 << 6))
"""By 64 x height + cell; those of height 0 and of no cell are there to fill."""


def _distances() -> bytes:
    """By move: 1..3 along one of the six directions, else 0."""
    distances = bytearray(SEAT << 6)
    for lane, (ways, onto) in enumerate(_RAYS):
        for move in onto[ways]:
            distances[move] = lane >> 6
    return bytes(distances)


DISTANCE = _distances()

_STACKS = tuple(
    bytes(
        (stack in mine) * 0o11 << height >> 1 | height << 6 for stack, height in enumerate(HEIGHT)
    )
    + bytes(240)
    for mine in (_of(0), _of(1))
)
"""By seat and stack: bits 0 to 2, one of them for the height of a stack of the mover's; 3 to 5, the
same again; 6 and 7, the height of anybody's. The cells are lanes of one int."""
_HEIGHTS = int.from_bytes(bytes([3 << 6]) * SEAT, "little")
_NUMBERS = int.from_bytes(bytes(range(SEAT)), "little")
_NOT_HIGH = bytes(range(2 << 6))
"""64 x height + cell of what has room for every disc."""


def _makers(moves: Iterable[int]) -> int:
    """The stacks that make these moves, in bits 0 to 2 of their lanes."""
    return sum({1 << 8 * (move >> 6) + DISTANCE[move] - 1 for move in moves})


def _least(ways: int) -> int:
    """The stacks that have so many ways at least."""
    return _makers(onto[every][0] for every, onto in _RAYS if len(onto[every]) >= ways)


_TWICE = _least(2) | _least(6) << 3
_ONCE = _least(3) | _least(4) << 3
"""Where a bit of a stack stands for two ways, and where for one: none has one way, or five."""


def _barred() -> tuple[int, ...]:
    """By 64 x height + cell: the stacks that would have a move onto it if it were lower."""
    moves: list[list[int]] = [[] for _ in range(4 << 6)]
    for move, distance in enumerate(DISTANCE):
        for height in range(LANDS[1 << distance] + 1, HIGHEST + 1) if distance else ():
            moves[height << 6 | move & 63].append(move)
    return tuple(map(_makers, moves))


_BARRED = _barred()

Gains = list[int | None]
"""By 16 x the stack left + the stack landed on."""


def _worth(seat: int, row: int, stack: int) -> int:
    """What a stack in a row is to the lead of a seat; only on the other's back row does a disc
    count (ALMA-4.4)."""
    if stack == EMPTY or row not in (0, 1) or stack & 1 == row:
        return 0
    return 1 if stack & 1 == seat else -1


@cache
def _gains(seat: int, distance: int, left: int, onto: int) -> Gains:
    """The gains of a seat's moves over a distance, from one row onto another."""
    gains: Gains = [None] * 256
    for stack in _of(seat):
        for under in range(EMPTY, 1 << HIGHEST):
            if HEIGHT[stack] == distance and HEIGHT[under] <= LANDS[stack]:
                lifted = _worth(seat, left, stack >> 1) - _worth(seat, left, stack)
                landed = _worth(seat, onto, under << 1 | seat) - _worth(seat, onto, under)
                gains[stack << 4 | under] = lifted + landed
    return gains


_ROWS = bytes(
    next((seat for seat in (0, 1) if cell in range(SEAT)[BACK[seat]]), 2) for cell in range(64)
)
"""By cell: whose back row it is in, 2 for nobody's."""
_GAINS = tuple(
    [
        _gains(seat, distance, _ROWS[move >> 6], _ROWS[move & 63])
        for move, distance in enumerate(DISTANCE)
    ]
    for seat in (0, 1)
)
"""By seat and move."""
