"""Bad Santa as SGF FF[4], for the viewers of Hex: GM[11]. Y and Cross have no number there.

One node a counter: the mover's own, then the one that was given away. The reservation counters and
the die stand in the comment of the turn's last node: "7. B 12:c4 34:f6 56:h2 d3 -> f6=W"; a turn
that is not over is not written. Options other than usual stand in GC, a position that was set up as
text in its comment: with these the game can be read back. A game of Hex by another program has
neither dice nor reservation counters: of that its last position is read, to go on from.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from hexboard.game.fields import Written
from hexboard.game.options import Option, Options
from hexboard.game.sgf import Node, main_line
from hexboard.games.bad_santa.ground import BLACK, COLOURS, WHITE
from hexboard.games.bad_santa.groups import cells_of
from hexboard.games.bad_santa.position import (
    DICE,
    DRAW,
    GOES_ON,
    LABELS,
    PASS,
    SWAP,
    BadSanta,
    Setting,
)
from hexboard.games.bad_santa.text import problem
from hexboard.games.bad_santa.text import read as read_text
from hexboard.words import Value
from hexboard.words.errors import BadText
from hexboard.words.names import one_line

SIGNS = "BW"


HEX = "BSH-5.1"
"""The goal of the game that SGF has a number for."""


def write(
    options: Sequence[Option], line: Sequence[BadSanta], players: Sequence[str], date: str
) -> str:
    """The record of a game by its positions, the first one first, with who began as Black and as
    White, and when; `options` are those of the game but for its size, which SZ says."""
    last = line[-1]
    number = "GM[11]" if last.setting.goal == HEX else ""
    heads = zip(("PB", "PW", "DT"), (*(*players, "", "")[:2], date), strict=True)
    said = "".join(f"{key}[{_escaped(it)}]" for key, it in heads if it)
    head = f"FF[4]{number}CA[UTF-8]AP[hexboard]SZ[{last.ground.size}]{said}RU[{last.setting.title}]"
    given = {it.name: getattr(last.setting, it.name) for it in options}
    if agreed := [f"{it.name}={given[it.name]}" for it in options if given[it.name] != it.default]:
        head += f"GC[{' '.join(agreed)}]"
    nodes = "".join(f"\n;{node}" for node in _nodes(line))
    return f"(;{head}{_result(last)}{_set_up(None, line[0])}{nodes})\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


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

_RESULTS = {"B+": "Black 1, White 0", "W+": "Black 0, White 1", "0": "Black 0, White 0"}
"""What a game came to, as SGF has it and as a record does."""
_TURN = re.compile(r"\d+\. [BW] (.*)", re.DOTALL)
_WORD = re.compile(r"(\d\d:)([a-z]\d+)|d([1-6])|(pass|swap)")
_ENDS = ("resign", "forfeit")
_STANDS = ("pass", "swap-sides", *_ENDS)
"""Moves of Hex in SGF that lay no counter."""


def read(begun: Callable[[Options], BadSanta], text: str) -> Written:
    """The inverse of `write`; `begun` gives the first position. Of a game of Hex by another program
    only the last position is read. Raises `BadText` for what is neither."""
    root, *nodes = main_line(text)
    size = _size(root)
    agreed = {"size": size, **_options(_value(root, "GC"))}
    title = begun({"size": size}).setting.title
    if _value(root, "RU") != title:
        return _position(begun({"size": size}), root, nodes)
    first = begun(agreed)
    start, moves = str(first), list[str]()
    laid = list[str]()
    for node in (root, *nodes):
        comment = _value(node, "C")
        laid += [it for key in "BW" for it in node.get(key, ())]
        if comment.startswith("set "):
            start, moves, laid = comment.removeprefix("set "), [], []
        elif turn := _TURN.match(comment):
            moves += _moves(turn[1], first.setting)
    if sorted(laid) != sorted(
        it.split(":")[-1] for it in moves if it[-1].isdigit() and it[:4] != "die "
    ):
        raise BadText("bad_santa.comments")
    for it in _already(start, first.setting):
        if it in moves:
            moves.remove(it)
    result = _value(root, "RE")
    moves += [f"resign {COLOURS[result[0] == 'B'].lower()}"] if result.endswith("+R") else []
    came = _RESULTS.get(result.removesuffix("R"), "")
    return Written(agreed, start, tuple(moves), came, _names(root))


def _value(node: Node, key: str) -> str:
    return node.get(key, ("",))[0]


def _names(root: Node) -> tuple[str, ...]:
    """Of who began as Black and as White; () where it says none."""
    names = one_line(_value(root, "PB")), one_line(_value(root, "PW"))
    return names if any(names) else ()


def _size(root: Node) -> int:
    """How many cells a side has: 11 where a file does not say (SGF, Hex). Raises `BadText`."""
    sizes = set(_value(root, "SZ").split(":")) if "SZ" in root else {"11"}
    size = sizes.pop().strip()
    if sizes or not re.fullmatch("[0-9]{1,2}", size) or not 0 < int(size) < 20:
        raise BadText("bad_santa.sgf_size", size=_value(root, "SZ")[:20])
    return int(size)


def _options(text: str) -> dict[str, Value]:
    """The options that are agreed on, as GC has them; other programs have remarks there."""
    agreed: dict[str, Value] = {}
    for found in re.finditer(r"(?<!\S)(\w+)=(\w+)(?!\S)", text):
        agreed[found[1]] = found[2] == "True" if found[1] == "swap" else found[2]
    return agreed


def _already(start: str, setting: Setting) -> Iterator[str]:
    """What had been done of its turn where a position was set up, of what `_moves` names."""
    position = read_text(start, setting)
    names = position.ground.cells
    for label, cell in (divmod(code, len(names)) for code in position.reserved):
        yield f"{LABELS[label]}:{names[cell]}" if setting.labels == "free" else names[cell]
    if position.rolls and setting.die == "pressed":
        yield "roll"


def _moves(words: str, setting: Setting) -> Iterator[str]:
    """What was played in a turn, by its comment; that hexboard was to roll it does not say."""
    free, unpressed = setting.labels == "free", setting.die == "pressed"
    for found in map(_WORD.fullmatch, words.split()):
        if found:
            label, cell, die, word = found.groups()
            if die and unpressed:
                unpressed = False
                yield "roll"
            yield f"{label if free else ''}{cell}" if cell else word or f"die {die}"


# ------------------------------------------------------------------------------- another's Hex


def _position(first: BadSanta, root: Node, nodes: Sequence[Node]) -> Written:
    """The last position of a game of Hex. Raises `BadText`."""
    ground = first.ground
    if first.setting.goal != HEX or _value(root, "GM").strip() != "11":
        raise BadText("bad_santa.other_game", game=first.setting.title)
    lies: dict[str, str] = {}
    mover = "B"
    for node in (root, *nodes):
        for key, values in node.items():
            for value in values:
                _lay(lies, key, value.strip().lower(), ground.number)
            mover = {"B": "W", "W": "B"}.get(key, mover)
        mover = _value(node, "PL").strip().upper()[:1] or mover
    rows = ("".join(lies.get(ground.cells[c], ".") for c in row) for _, row in ground.rows)
    text = "/".join(rows)
    return Written({"size": ground.size}, _with_turn(text, mover, first), (), "", _names(root))


def _lay(lies: dict[str, str], key: str, cell: str, known: Mapping[str, int]) -> None:
    """What a property does to the counters that lie there. Raises `BadText` for no such cell."""
    if key not in ("B", "W", "AB", "AW", "AE") or cell in _STANDS:
        return
    if cell == "swap-pieces" and len(lies) == 1:
        ((taken, _),) = lies.items()
        column, row = taken[0], int(taken[1:])
        lies.clear()
        lies[f"{chr(96 + row)}{ord(column) - 96}"] = key
    elif cell in known:
        lies.pop(cell, None)
        lies |= {} if key == "AE" else {cell: key[-1]}
    else:
        raise BadText("bad_santa.sgf_cell", cell=cell[:40])


def _with_turn(rows: str, mover: str, first: BadSanta) -> str:
    """The text of a position, at the first turn at which so many counters could lie there; where
    there is none, the first of this colour at which any could."""
    count = sum(map(rows.count, "BW"))
    least = 2 if mover == "W" else 1 + 2 * (count > 0)
    texts = [f"{rows} {mover} {turn}" for turn in range(least, count + 4, 2)]
    sound = (it for it in texts if problem(read_text(it, first.setting)) is None)
    return next(sound, texts[0])
