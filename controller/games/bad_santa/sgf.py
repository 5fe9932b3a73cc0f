"""Bad Santa Hex as SGF FF[4] GM[11], for the viewers of Hex.

One node a counter: the mover's own, then the one that was given away. The reservation counters and
the die stand in the comment of the turn's last node: "7. B 12:c4 34:f6 56:h2 d3 -> f6=W".
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from hexboard.game.position import Position
from hexboard.games.bad_santa.ground import BLACK, COLOURS, WHITE
from hexboard.games.bad_santa.groups import cells_of
from hexboard.games.bad_santa.position import DICE, DRAW, GOES_ON, LABELS, PASS, SWAP, BadSanta
from hexboard.words.errors import BadText

SIGNS = "BW"


def sgf(positions: Sequence[Position[int]]) -> str:
    """The record of a game by its positions, the first one first.

    Raises `BadText` for Y and Cross, for which SGF has no number.
    """
    line = [position for position in positions if isinstance(position, BadSanta)]
    last = line[-1]
    if last.setting.goal != "BSH-5.1":
        raise BadText("bad_santa.no_sgf", game=last.setting.title)
    head = f"FF[4]GM[11]CA[UTF-8]AP[hexboard]SZ[{last.ground.size}]RU[{last.setting.title}]"
    nodes = "".join(f"\n;{node}" for node in _nodes(line))
    return f"(;{head}{_result(last)}{_set_up(None, line[0])}{nodes})\n"


def _result(last: BadSanta) -> str:
    if last.winner == GOES_ON:
        return ""
    if last.winner == DRAW:
        return "RE[0]"
    return f"RE[{SIGNS[last.winner]}+{'R' if last.resigned >= 0 else ''}]"


def _nodes(line: Iterable[BadSanta]) -> Iterator[str]:
    dice: list[int] = []
    for before, after in pairwise(line):
        if not after.last:  # a host has set it up
            yield _set_up(before, after)
            dice = []
        elif after.last[0] in DICE:
            dice.append(-after.last[0])
            if not after.reserved:
                yield from _turn(before, after, dice)
                dice = []
        elif after.last[0] in (PASS, SWAP):
            word = after.name(after.last[0])
            yield f"C[{before.turn}. {SIGNS[before.mover]} {word}]"


def _turn(before: BadSanta, after: BadSanta, dice: Iterable[int]) -> Iterator[str]:
    """The counters of one turn, own ones first."""
    names, mover, given = before.ground.cells, before.mover, after.last[1]
    own = [f"{SIGNS[mover]}[{names[cell]}]" for cell in before.chosen if cell != given]
    gift = [f"{SIGNS[1 - mover]}[{names[given]}]"] if given >= 0 else []
    labelled = (divmod(code, len(names)) for code in before.reserved)
    words = [f"{before.turn}. {SIGNS[mover]}"]
    words += [f"{LABELS[label]}:{names[cell]}" for label, cell in labelled]
    words += [f"d{die}" for die in dice]
    words += [f"-> {names[given]}={SIGNS[1 - mover]}"] if gift else []
    words += [COLOURS[after.winner] + " wins"] if after.winner in (BLACK, WHITE) else []
    *first, last = own + gift
    yield from first
    yield f"{last}C[{' '.join(words)}]"


def _set_up(before: BadSanta | None, after: BadSanta) -> str:
    """The cells that are otherwise than before, and whose turn it is."""
    old = (before.black, before.white) if before else (0, 0)
    new = (after.black, after.white)
    changes = {
        "AB": new[BLACK] & ~old[BLACK],
        "AW": new[WHITE] & ~old[WHITE],
        "AE": (old[BLACK] | old[WHITE]) & ~(new[BLACK] | new[WHITE]),
    }
    cells = after.ground.cells
    points = [
        key + "".join(f"[{cells[cell]}]" for cell in cells_of(changed))
        for key, changed in changes.items()
        if changed
    ]
    return "".join(points) + f"PL[{SIGNS[after.mover]}]"
