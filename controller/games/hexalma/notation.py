"""How boards and actions are written: "WWWWW/WWWWWW/7/8/9/8/7/BBBBBB/BBBBB b", "e5-e7", "e3:e5".

Rows go from i down to a, digits are runs of empty cells, "(BW)" is a stack from the bottom up; then
the side to move. Mistakes name the row and the character, counted from 1.
"""

import re

from hexboard.games.hexalma.moves import (
    CELLS,
    EMPTY,
    HEIGHT,
    HIGHEST,
    NUMBER,
    SEAT,
    discs,
    passed,
    unmoved,
)
from hexboard.words.errors import BadText

SEATS = ("Black", "White")
SIDES = "bw"
EACH = 11
"""Discs of each seat (ALMA-1.3)."""

PASS = SEAT << 6
"""Actions from here on are no moves of a disc."""
RESIGN = PASS + 1
"""A table act of seat 0 or, + 1, of seat 1 (B9)."""
DRAW = PASS + 3
"""Offers a draw, or agrees to the other's offer."""
ACTS = {
    PASS: "pass",
    **{RESIGN + seat: f"resign {name.lower()}" for seat, name in enumerate(SEATS)},
    **{DRAW + seat: f"draw {name.lower()}" for seat, name in enumerate(SEATS)},
}

_ROWS = tuple(
    (letter, sum(cell[0] == letter for cell in CELLS))
    for letter in sorted({cell[0] for cell in CELLS}, reverse=True)
)
"""Letter and length of each row, from i down to a."""
_SIGN = re.compile(r"\((?P<stack>[BW]*)\)|(?P<disc>[BW])|(?P<empty>[1-9])")
_NAME = re.compile(r"(?:resign|draw) (?:black|white)|[^ ]+")
_MOVE = re.compile(r"([a-i][1-9])([-:])([a-i][1-9])(?:=([123]))?")


def name(board: bytes, action: int) -> str:
    """An action as people write it: "e5-e7" to an empty cell, "e3:e5" onto a stack, "pass"."""
    if action >= PASS:
        return ACTS[action]
    onto = action & 63
    sign = "-" if board[onto] == EMPTY else ":"
    return f"{CELLS[action >> 6]}{sign}{CELLS[onto]}"


def read(board: bytes, text: str) -> int:
    """The inverse of `name`. A dash may be written for every move, and the height afterwards may
    follow ("e3:e5=2"). Raises `BadText`, also where the text does not fit what lies there."""
    for action, act in ACTS.items():
        if text == act:
            return action
    found = _MOVE.fullmatch(text)
    if not found or found[1] not in NUMBER or found[3] not in NUMBER:
        raise BadText("hexalma.no_action", text=text[:80])
    left, sign, cell, said = found.groups()
    onto = NUMBER[cell]
    height = HEIGHT[board[onto]] + 1
    if sign == ":" and height == 1:
        raise BadText("hexalma.not_stack", text=text, cell=cell)
    if said and int(said) != height:
        raise BadText("hexalma.not_height", text=text, cell=cell, height=height, said=said)
    return NUMBER[left] << 6 | onto


def names(text: str) -> list[str]:
    """The actions of a line "b2-c3 i3-h4 resign black"."""
    return _NAME.findall(text)


def taken_back(board: bytes, name: str, number: int) -> bytes:
    """The board before the `number`th action of a line was played. Raises `BadText`."""
    if name == ACTS[PASS]:
        return passed(board)
    if name in ACTS.values():
        return board
    found = _MOVE.fullmatch(name)
    left, onto = (NUMBER.get(cell) for cell in found.group(1, 3)) if found else (None, None)
    if left is None or onto is None or board[onto] == EMPTY or HEIGHT[board[left]] == HIGHEST:
        raise BadText("hexalma.past", number=number, name=name[:80])
    return unmoved(board, left << 6 | onto)


# ------------------------------------------------------------------------------------ boards


def written(board: bytes) -> str:
    """The text of a board."""
    rows, end = [], SEAT
    for _, length in _ROWS:
        signs = "".join(map(_sign, board[end - length : end]))
        rows.append(re.sub("0+", lambda run: str(len(run[0])), signs))
        end -= length
    return f"{'/'.join(rows)} {SIDES[board[SEAT]]}"


def read_board(text: str) -> bytes:
    """The inverse of `written`. Raises `BadText` for the first mistake."""
    rows, _, side = text.partition(" ")
    if side not in ("b", "w"):
        raise BadText("hexalma.position", text=text[:80])
    texts = rows.split("/")
    if len(texts) != len(_ROWS):
        raise BadText("hexalma.rows", count=len(texts), rows=len(_ROWS))
    stacks, at = b"", 1
    for row, (letter, length) in zip(texts, _ROWS, strict=True):
        stacks = _row(row, letter, length, at) + stacks
        at += len(row) + 1
    board = stacks + bytes((SIDES.index(side),))
    for seat, owner in enumerate(SEATS):
        if (count := discs(board, seat)) > EACH:
            raise BadText("hexalma.discs", seat=owner, count=count, each=EACH)
    return board


def _row(text: str, letter: str, length: int, at: int) -> bytes:
    """The stacks of a row whose text begins at character `at`."""
    stacks, i = b"", 0
    while i < len(text):
        found = _SIGN.match(text, i)
        if not found:
            raise BadText("hexalma.sign", row=letter, at=at + i, sign=text[i])
        pile = found["stack"]
        if pile is not None and not 2 <= len(pile) <= HIGHEST:
            raise BadText("hexalma.stack", row=letter, at=at + i, count=len(pile))
        if found["empty"]:
            stacks += bytes((EMPTY,)) * int(found["empty"])
        else:
            stacks += bytes((stack(pile or found["disc"]),))
        i = found.end()
    if len(stacks) != length:
        raise BadText("hexalma.row", row=letter, at=at, count=len(stacks), length=length)
    return stacks


def stack(discs: str) -> int:
    """The stack of discs written from the bottom up."""
    return int("1" + discs.replace("B", "0").replace("W", "1"), 2)


def colours(stack: int) -> str:
    """The discs of a stack of two or three from the bottom up: "BW"; nothing for a single one."""
    return tower(stack) if stack >= 4 else ""


def tower(stack: int) -> str:
    return f"{stack:b}"[1:].replace("0", "B").replace("1", "W")


def _sign(stack: int) -> str:
    """A stack as it is written; 0 for an empty cell."""
    discs = tower(stack)
    return f"({discs})" if len(discs) > 1 else discs or "0"


START = bytes((2,)) * EACH + bytes((EMPTY,)) * 39 + bytes((3,)) * EACH + bytes((0,))
