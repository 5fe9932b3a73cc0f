"""Bad Santa Hex as SGF FF[4] GM[11], for the viewers of Hex.

One node a counter: the mover's own, then the one that was given away. The reservation counters and
the die stand in the comment of the turn's last node: "7. B 12:c4 34:f6 56:h2 d3 -> f6=W". Options
other than usual stand in GC, a position that was set up as text in its comment: with these the game
can be read back.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from hexboard.game.game import Written
from hexboard.games.bad_santa.ground import BLACK, COLOURS, WHITE
from hexboard.games.bad_santa.groups import cells_of
from hexboard.games.bad_santa.position import DICE, DRAW, GOES_ON, LABELS, PASS, SWAP, BadSanta
from hexboard.games.bad_santa.variant import SHARED
from hexboard.words import Value
from hexboard.words.errors import BadText

SIGNS = "BW"


def sgf(line: Sequence[BadSanta]) -> str:
    """The record of a game by its positions, the first one first.

    Raises `BadText` for Y and Cross, for which SGF has no number.
    """
    last = line[-1]
    if last.setting.goal != "BSH-5.1":
        raise BadText("bad_santa.no_sgf", game=last.setting.title)
    head = f"FF[4]GM[11]CA[UTF-8]AP[hexboard]SZ[{last.ground.size}]RU[{last.setting.title}]"
    given = {it.name: getattr(last.setting, it.name) for it in SHARED}
    if options := [f"{it.name}={given[it.name]}" for it in SHARED if given[it.name] != it.default]:
        head += f"GC[{' '.join(options)}]"
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
    node = "".join(points) + f"PL[{SIGNS[after.mover]}]"
    return node if before is None and after.turn == 1 and not points else f"{node}C[set {after}]"


# ------------------------------------------------------------------------------------- read back

_PART = re.compile(r"(;)|([A-Z]{1,2})\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_TURN = re.compile(r"\d+\. [BW] (.*)")
_WORD = re.compile(r"(\d\d:)([a-z]\d+)|d([1-6])|(pass|swap)")


def read(text: str) -> Written:
    """The inverse of `sgf`. Raises `BadText` for a file that is no game of Bad Santa Hex with the
    comments that tell its turns; of other files we know neither dice nor reservation counters."""
    root, *nodes = _parts(text) or [{}]
    size = int(root["SZ"]) if re.fullmatch("[0-9]{1,2}", root.get("SZ", "")) else 0
    if (root.get("GM"), root.get("RU")) != ("11", "Bad Santa Hex") or not 0 < size < 20:
        raise BadText("bad_santa.not_read")
    pairs = (word.partition("=") for word in root.get("GC", "").split())
    agreed: dict[str, Value] = {name: value for name, _, value in pairs}
    if "swap" in agreed:
        agreed["swap"] = agreed["swap"] == "True"
    start = f"{'/'.join(['.' * size] * size)} {root.get('PL', 'B')} 1"
    moves: list[str] = []
    for node in (root, *nodes):
        comment = node.get("C", "")
        if comment.startswith("set "):
            start, moves = comment.removeprefix("set "), []
        elif turn := _TURN.match(comment):
            moves += _moves(turn[1], agreed.get("labels") == "free")
    result = root.get("RE", "")
    moves += [f"resign {COLOURS[result[0] == 'B'].lower()}"] if result.endswith("+R") else []
    return Written({"size": size, **agreed}, start, tuple(moves))


def _parts(text: str) -> list[dict[str, str]]:
    """The nodes, each with the first value of its properties."""
    nodes: list[dict[str, str]] = []
    for sign, key, value in _PART.findall(text):
        if sign:
            nodes.append({})
        elif nodes:
            nodes[-1].setdefault(key, value)
    return nodes


def _moves(words: str, free: bool) -> Iterator[str]:
    """What was played in a turn, by its comment."""
    for found in map(_WORD.fullmatch, words.split()):
        if found:
            label, cell, die, word = found.groups()
            yield f"{label if free else ''}{cell}" if cell else word or f"die {die}"
