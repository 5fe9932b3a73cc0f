"""A position's text as a position: the inverse of its `str`.

".B./W1./... B 3": the rows of the board (B and W counters, 1 2 3 the reservation counters 1-2, 3-4,
5-6), whose turn it is, the number of the turn, then words that apply. Rows of a rhombus go from the
top, rows of a hexagon from the bottom.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from hexboard.games.bad_santa.choice import Selection
from hexboard.games.bad_santa.ground import BLACK, COLOURS, WHITE, LinkGround
from hexboard.games.bad_santa.groups import grouped
from hexboard.games.bad_santa.position import (
    DRAW,
    GOES_ON,
    LABELS,
    WORDS,
    BadSanta,
    Setting,
    again,
    begun,
    judged,
    unpressed,
)
from hexboard.words import Message, message
from hexboard.words.errors import BadText, IllegalAction


def read(text: str, setting: Setting) -> BadSanta:
    """The position that a text stands for. Raises `BadText` for a text that no position has."""
    rows, mover, turn, *words = text.split(" ") if text.count(" ") >= 2 else ("", "", "")
    if mover not in ("B", "W") or not re.fullmatch("[1-9][0-9]{0,2}", turn):
        raise BadText("bad_santa.text", text=text[:80])
    first = setting.first.title()
    if COLOURS[_started("BW".index(mover), int(turn))] != first:
        raise BadText("bad_santa.turn", seat=COLOURS["BW".index(mover)], turn=turn, first=first)
    signs = _signs(rows, setting.ground)
    position = _set_up(signs, setting, "BW".index(mover), int(turn))
    rolls = words[-1:] == [WORDS[-1]]
    position = _with_words(position, words[: len(words) - rolls], text)
    position = _reserved(signs, position)
    if rolls:
        position = _rolling(position, text)
    if str(position) != text:
        raise BadText("bad_santa.text", text=text[:80])
    return position


def _signs(text: str, ground: LinkGround) -> dict[int, str]:
    """What stands in each cell."""
    rows = text.split("/")
    if len(rows) != len(ground.rows):
        raise BadText("bad_santa.rows", count=len(rows), rows=len(ground.rows))
    signs: dict[int, str] = {}
    for row, (name, cells) in zip(rows, ground.rows, strict=True):
        if len(row) != len(cells):
            raise BadText("bad_santa.row", row=name, count=len(row), cells=len(cells))
        for cell, sign in zip(cells, row, strict=True):
            if sign not in ".BW123":
                raise BadText("bad_santa.sign", cell=ground.cells[cell], sign=sign)
            signs[cell] = sign
    return signs


def _set_up(signs: dict[int, str], setting: Setting, mover: int, turn: int) -> BadSanta:
    """The counters, without the reservation counters, and who has won with them."""
    ground = setting.ground
    stones = [sum(1 << cell for cell, sign in signs.items() if sign == of) for of in "BW"]
    groups = [grouped(stones[colour], ground.near) for colour in (BLACK, WHITE)]
    own, their = stones[mover], stones[1 - mover]
    position = begun(setting, mover, own, their, groups[mover], groups[1 - mover], turn)
    # On a rhombus or a triangle no text links both colours: a chain from side to side cuts the
    # other colour off (C4). Only in Cross both can have a chain, and BSC-3 says who is judged.
    winner = judged(setting, mover, groups[mover], groups[1 - mover])
    return replace(position, winner=winner)


def problem(position: BadSanta) -> Message | None:
    """Why a written position could not come about (`Game.problem`): too few counters of a colour
    for its turn, or too many."""
    stones = position.own, position.their
    for colour, (least, most) in enumerate(_counts(position)):
        count = stones[colour != position.mover].bit_count()
        if not least <= count <= most:
            return message(
                "bad_santa.counters",
                "BSH-2.1",
                seat=COLOURS[colour],
                count=count,
                turn=position.turn,
                least=least,
                most=most,
            )
    return None


def _counts(position: BadSanta) -> Iterator[tuple[int, int]]:
    """How few and how many counters each colour can have at this turn: every turn gives the other
    one counter and the mover up to two, the first turn one. Without rerolls, and with passes, a
    turn may give nothing."""
    linked = judged(position.setting, position.mover, position.groups, position.their_groups)
    finished = position.turn - (linked == GOES_ON)
    started = _started(position.mover, position.turn)
    turns = [0, 0]
    turns[started] = (finished + 1) // 2
    turns[1 - started] = finished // 2
    sure = position.setting.shortage in ("max_reroll", "waive_group_rule")
    for colour in (BLACK, WHITE):
        gifts = turns[1 - colour]
        first = min(1, gifts) if colour != started else 0
        opening = colour == started and turns[colour] > 0
        yield (gifts if sure else first) + opening, gifts + 2 * turns[colour] - opening


def _started(mover: int, turn: int) -> int:
    """Who began, if it is this colour's turn now."""
    return mover if turn % 2 else 1 - mover


def _with_words(position: BadSanta, words: list[str], text: str) -> BadSanta:
    setting, over = position.setting, position.winner != GOES_ON
    for word in words:
        match word:
            case "swapped" if setting.swap and position.turn > 1:
                position = replace(position, swapped=True)
            case "passed" | "drawn" if _stuck(position, word) and not over:
                ended = DRAW if word == "drawn" else GOES_ON
                position = replace(position, passes=1 + (word == "drawn"), winner=ended)
            case "resigned-black" | "resigned-white" if not over:
                position = replace(position, resigned=int(word == WORDS[4]))
            case _:
                raise BadText("bad_santa.word", word=word[:40], text=text[:80])
    return position


def _rolling(position: BadSanta, text: str) -> BadSanta:
    """hexboard rolls the die now (C6), or it has been rolled, with a number of no counter."""
    missed = position.rolling and len(position.reserved) < len(LABELS) and again(position)
    if position.winner != GOES_ON or not (missed or unpressed(position)):
        raise BadText("bad_santa.word", word=WORDS[-1], text=text[:80])
    return replace(position, rolls=True)


def _stuck(position: BadSanta, word: str) -> bool:
    """Whether who has just passed had to pass; both, for a draw (C1)."""
    both = (position.groups, position.their_groups)
    free = position.choice.free
    near, shortage = position.ground.near, position.setting.shortage
    passed = both if word == "drawn" else both[1:]
    return (
        shortage == "pass"
        and position.turn > len(passed)
        and not any(Selection(near, groups, free, 3, shortage).need for groups in passed)
    )


def _reserved(signs: dict[int, str], position: BadSanta) -> BadSanta:
    """With its reservation counters, placed one by one as the rules want them."""
    names = position.ground.cells
    resigned, free = position.resigned, position.setting.labels == "free"
    for label in range(3):
        for cell in (cell for cell, sign in signs.items() if sign == str(label + 1)):
            if len(position.reserved) > label or (len(position.reserved) < label and not free):
                raise BadText("bad_santa.labels", cell=names[cell], label=label + 1)
            try:
                position = position.play(label * len(names) * free + cell)
            except IllegalAction:
                raise BadText("bad_santa.reserved", cell=names[cell], label=label + 1) from None
    position = replace(position, last=(), turned=())
    if resigned < 0:
        return position
    return replace(position, resigned=resigned, winner=1 - resigned)
