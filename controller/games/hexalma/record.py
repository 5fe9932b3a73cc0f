"""A game of HexAlma as its rules write it: headers, then "1. b2-c3 i3-h4" (2.7).

    Game: HexAlma
    Options: repetition=off
    Start: WWWWW/WWWWWW/7/8/9/8/7/BBBBBB/BBBBB b

    1. b2-c3 h4-g4
    2. resign black
    Result: White wins

It begins with the last position that a host has set. Who played ("Black: Ann",
"White: Ben") and the "Date" stand behind the game. In what is read, other headers are passed over,
a height may follow a move ("e3:e5=2"), remarks stand in {braces}.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hexboard.game.fields import Written
from hexboard.games.hexalma import notation
from hexboard.games.hexalma.notation import DRAW, PASS, RESIGN, SEATS
from hexboard.games.hexalma.position import NONE, OPTIONS, Hexalma
from hexboard.words import Value
from hexboard.words.errors import BadText
from hexboard.words.names import one_line

_RESULTS = {
    "Black wins": "Black 1, White 0",
    "White wins": "Black 0, White 1",
    "draw": "Black 0, White 0",
    "*": "*",
}
"""What a game came to, as its rules write it and as every record does."""
_NO_REMARK = str.maketrans("{}", "()")


def write(line: Sequence[Hexalma], players: Sequence[str], date: str) -> str:
    """The record of a game by its positions, the first one first, with who began as Black and as
    White, and when."""
    names = [_name(before, after) for before, after in pairwise(line)]
    begin = max((k for k, name in enumerate(names, 1) if name is None), default=0)
    first, last = line[begin], line[-1]
    given = {it.name: getattr(first.setting, it.name) for it in OPTIONS}
    options = [f"{it.name}={given[it.name]}" for it in OPTIONS if given[it.name] != it.default]
    plain = (player.translate(_NO_REMARK) for player in players)
    heads = [*zip(SEATS, plain, strict=False), ("Date", date)]
    said = [f"{key}: {it}" for key, it in heads if it]
    head = ["Game: HexAlma", *said, f"Options: {' '.join(options)}".rstrip(), f"Start: {first}", ""]
    return "\n".join([*head, *_moves(line[begin:]), f"Result: {_result(last)}", ""])


def listed(position: Hexalma, action: int) -> str:
    """A move as the record has it (2.7); "" for what is no move of a disc."""
    return position.name(action) if action < PASS else ""


def _moves(line: Sequence[Hexalma]) -> Iterator[str]:
    """What was played, the turns of both in a line."""
    number, names = 1, ["..."] * line[0].seat
    for before, after in pairwise(line):
        names.append(_name(before, after) or "")
        if before.seat == 1 and after.seat == 0:
            yield f"{number}. {' '.join(names)}"
            number, names = number + 1, []
    if names and len(line) > 1:
        yield f"{number}. {' '.join(names)}"


def _name(before: Hexalma, after: Hexalma) -> str | None:
    """What was played in between; None where a host has set the position."""
    if after.board == before.board and after.last == before.last:
        if after.spoken == NONE and after.end != "agreed":
            return None
        if after.end == "resign":
            return before.name(RESIGN + after.spoken)
        return before.name(DRAW + (1 - before.spoken if after.end else after.spoken))
    return before.name(after.last) if after.last >= 0 else None


def _result(last: Hexalma) -> str:
    if last.scores is None:
        return "*"
    return f"{SEATS[last.scores.index(1)]} wins" if 1 in last.scores else "draw"


def read(text: str) -> Written:
    """The inverse of `write`. Raises `BadText` for a text that is no such record."""
    headers: dict[str, str] = {}
    moves: list[str] = []
    for line in re.sub(r"\{[^{}]*\}", " ", text).splitlines():
        if header := re.match(r"([A-Z][a-z]+):(.*)", line):
            headers[header[1]] = header[2].strip()
        else:
            moves += notation.names(re.sub(r"(?<!\S)(\d+\.|\.\.\.)(?!\S)", "", line))
    if headers.get("Game") != "HexAlma" or "Start" not in headers:
        raise BadText("hexalma.no_record")
    options, result = _options(headers.get("Options", "")), headers.get("Result", "")
    names = tuple(one_line(headers.get(seat, "")) for seat in SEATS)
    came = _RESULTS.get(result, "")
    return Written(options, headers["Start"], tuple(moves), came, names if any(names) else ())


def _options(text: str) -> dict[str, Value]:
    pairs = (word.partition("=") for word in text.split())
    number = re.compile("[0-9]{1,9}").fullmatch
    return {name: int(value) if number(value) else value for name, _, value in pairs}
