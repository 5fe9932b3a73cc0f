"""A record: a game of any kind as text, as PGN is for chess, written from a match and read back.

    Game: ludo
    Option: size=5
    Red: Ann

    1. die 6, start, die 3, a4
    2. die 1
    Result: *

Headers come first: the game, each option that is not the usual one, who plays, `Start:` where it
begins with another position. A numbered line is what one seat did, in order, dice and cards with
it. `Set:` is a position that a host has set. `Result:` is "*" or the score of each seat.

While cards are hidden from somebody a record tells what everybody may know: it is the game as its
public view plays it, and where a move does not tell all that is known afterwards, `Set:` does.

A person may write one: lines need no number, one with # in front is a remark, and so is what comes
after " # " behind moves.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from hexboard.board import Board, plain
from hexboard.files import nearest
from hexboard.game import registry
from hexboard.game.game import AnyGame, board_for
from hexboard.game.match import Entry, Match, Played, Ruled
from hexboard.game.options import Options, choose, in_full
from hexboard.game.position import CHANCE, Action, Position
from hexboard.words import ENGLISH, Message, Said, Value, message, say
from hexboard.words.errors import BadFile, BadText, HexboardError, IllegalAction
from hexboard.words.names import one_line

FIND = "Find"
"""The header of a record that is a puzzle (`hexboard.game.puzzle`)."""
FREE = ("Title", "Event", "Place", "Date", "Author", "Source", FIND)
"""Headers that only people read."""
_LATER = ("Set", "Result")
"""Headers that stand among the moves, and behind them."""
_HEADER = re.compile(r"([A-Z]\w*(?: \w+)*):(?:\s+(.*))?")
_NUMBER = re.compile(r"([0-9]{1,9})\.(?:\s+|$)")
_REMARK = re.compile(r"(?:^|\s)#(?:\s.*)?$")


class GameRecord(Struct, frozen=True):
    """A game with what is to be known to play it again."""

    match: Match[Action]
    board: Board
    options: Options
    """As they were given; the rest are the usual ones."""
    names: tuple[str, ...] = ()
    """Of the players, by the seat they began on; "" for none."""
    headers: Mapping[str, str] = {}
    """Those of `FREE`."""

    @property
    def game(self) -> AnyGame[Action]:
        return self.match.game


def again(
    name: str,
    board: Board,
    options: Options,
    entries: Iterable[Entry] = (),
    names: tuple[str, ...] = (),
) -> GameRecord:
    """A game by the entries of its match. Raises `BadText` or `IllegalAction` as `Match.add`."""
    game = registry.find(name)
    match = Match(game, game.begin(board, options), lambda text: game.read(text, board, options))
    for entry in entries:
        match.add(entry)
    return GameRecord(match, board, options, names)


# ------------------------------------------------------------------------------------ written


def write(record: GameRecord) -> str:
    """The text of a game. Raises `BadText` for a move whose name cannot stand in it (`unfit`)."""
    match, game = record.match, record.game
    see = game.public if game.hides(match.position) else _whole
    start = see(match.line[_begun(match)])
    lines = _head(record)
    if str(start) != str(game.begin(record.board, record.options)):
        lines.append(f"Start: {start}")
    lines += ["", *_turns(match, start, see), f"Result: {result(match.position)}", ""]
    return "\n".join(lines)


def unfit(name: str) -> bool:
    """Whether the name of a move cannot stand in a line of a record."""
    torn = name != _line(name) or any(sign in f"{name} " for sign in (", ", " #"))
    return torn or name[:1] in ("", "#") or bool(_HEADER.fullmatch(name) or _NUMBER.match(name))


def result(position: Position[Action]) -> str:
    """What a game came to: "Black 1, White 0", or "*" while it goes on."""
    if position.scores is None:
        return "*"
    seats = zip(_seats(position), position.scores, strict=True)
    return ", ".join(f"{seat} {score}" for seat, score in seats)


def _whole(position: Position[Action]) -> Position[Action]:
    return position


def _seats(position: Position[Action]) -> tuple[str, ...]:
    return tuple(say(seat, ENGLISH) for seat in position.seats)


def _begun(match: Match[Action]) -> int:
    """How many entries come before the first move: positions that a host has set."""
    played = (isinstance(match.entries[at], Played) for at in match.counting)
    return next((n for n, it in enumerate(played) if it), len(match.counting))


def _head(record: GameRecord) -> list[str]:
    """The headers, but for where it begins."""
    game, own = record.game, board_for(record.game, record.options)
    lines = [f"Game: {game.name}"]
    lines += [f"{name}: {_line(record.headers[name])}" for name in FREE if name in record.headers]
    lines += [f"Board: {record.board.name}"] if record.board.name != own else []
    agreed = choose(game.name, game.options, record.options)
    for option in game.options:
        if (value := agreed[option.name]) != option.default:
            lines.append(f"Option: {option.name}={_said(value)}")
    seats = zip(_seats(record.match.line[0]), map(one_line, record.names), strict=False)
    return [*lines, *(f"{seat}: {name}" for seat, name in seats if name)]


def _line(text: str) -> str:
    return " ".join(text.split())


def _said(value: Value) -> str:
    """The value of an option; a file that stands in it as a JSON text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False) if _is_long(value) else str(value)


def _is_long(value: Value) -> bool:
    return isinstance(value, str) and (value[:1] == '"' or value != _line(value))


def _turns(
    match: Match[Action], view: Position[Action], see: Callable[[Position[Action]], Any]
) -> list[str]:
    """A line for what each seat did, dice and cards with it; what that does not tell is set."""
    entries = match.entries if see is _whole else match.heard
    begun = _begun(match)
    lines: list[str] = []
    number, seat = 0, None
    for at, after in zip(match.counting[begun:], match.line[begun + 1 :], strict=True):
        entry, wanted = entries[at], see(after)
        if isinstance(entry, Played) and (found := _played(view, entry.action)):
            actor, view = found
            if seat is not None and actor in (seat, CHANCE):
                lines[-1] += f", {entry.action}"
            else:
                number, seat = number + 1, actor
                lines.append(f"{number}. {entry.action}")
        if str(view) != str(wanted):
            lines.append(f"Set: {wanted}")
            view, seat = wanted, None
    return lines


def _played(view: Position[Action], name: str) -> tuple[int, Position[Action]] | None:
    """Who acts, and the position after; None where a view does not know enough to play it."""
    if unfit(name):
        raise BadText("record.unfit", name=name[:60])
    try:
        action = view.action(name)
        return view.actor(action), view.play(action)
    except (BadText, IllegalAction):
        return None


# --------------------------------------------------------------------------------------- read


class _Part(Struct, frozen=True):
    """A line that says something: a header, or moves, whose `head` is ""."""

    line: int
    head: str
    value: str
    number: int = 0
    """What stands in front of moves; 0 for none."""


def is_record(text: str) -> bool:
    """Whether a text looks like a record."""
    first = next(_parts(text), None)
    return first is not None and first.head == "Game"


def read(text: str, file: str, boards: Callable[[str], Board] = plain) -> GameRecord:
    """The inverse of `write`; `boards` finds a board by its name. Raises `BadFile` with every
    mistake in the headers and the first one in what was played."""
    reading = _Reading(file, list(_parts(text)), text.count("\n") + 1)
    try:
        return reading.record(boards)
    except HexboardError as error:
        if isinstance(error, BadFile) and error.path == file:
            raise
        reading.refused(error, reading.at)
        raise BadFile(file, tuple(reading.wrong)) from None


def _parts(text: str) -> Iterator[_Part]:
    moves = False
    for line, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        told = raw.strip()
        header = _HEADER.fullmatch(told)
        if not told or told[0] == "#":
            continue
        if header and (not moves or header[1] in _LATER):
            moves = moves or header[1] in _LATER
            yield _Part(line, header[1], header[2] or "")
            continue
        moves = True
        numbered = _NUMBER.match(told)
        value = _REMARK.sub("", told[numbered.end() :] if numbered else told).rstrip()
        yield _Part(line, "", value, int(numbered[1]) if numbered else 0)


class _Reading:
    """A text being read. `wrong` are its mistakes, `at` is the line that is looked at."""

    def __init__(self, file: str, parts: list[_Part], lines: int) -> None:
        self.file, self.lines, self.at = file, lines, 1
        self.wrong: list[Message] = []
        cut = next((n for n, it in enumerate(parts) if it.head in ("", *_LATER)), len(parts))
        self.heads, self.body = parts[:cut], parts[cut:]

    def refused(self, error: HexboardError, line: int) -> None:
        """Why a line cannot be so; of a file that it names every mistake."""
        for why in error.mistakes if isinstance(error, BadFile) else (error.message,):
            self.mistake("record.wrong", line, why=why)

    def mistake(self, key: str, line: int, **values: Said) -> None:
        self.wrong.append(message(key, file=self.file, line=line, **values))

    def record(self, boards: Callable[[str], Board]) -> GameRecord:
        game = registry.find(self._game())
        options = self._options(game)
        own = board_for(game, options)
        named = self._one("Board")
        board = boards(named.value) if named else plain(own)
        self.at = self.heads[0].line
        with registry.used(game.name):
            match = again(game.name, board, options).match
            names = self._names(_seats(match.position))
            self._play(match)
        if self.wrong:
            raise BadFile(self.file, tuple(self.wrong))
        free = {it.head: it.value for it in self.heads if it.head in FREE}
        return GameRecord(match, board, options, names, free)

    def _game(self) -> str:
        """The name of the game. Raises `BadFile` for a text that does not begin with it."""
        if not self.heads or self.heads[0].head != "Game":
            raise BadFile(self.file, (message("record.none", file=self.file),))
        self.at = self.heads[0].line
        return self.heads[0].value

    def _one(self, head: str) -> _Part | None:
        """A header; the line that is looked at is its own from now on."""
        found = next((it for it in self.heads if it.head == head), None)
        self.at = found.line if found else self.at
        return found

    def _options(self, game: AnyGame[Action]) -> Options:
        """What was agreed on. Raises `BadFile` where an option is wrong: nothing can be played."""
        given: dict[str, Value] = {}
        for part in self.heads:
            if part.head == "Option":
                try:
                    option = _option(game, part.value)
                    choose(game.name, game.options, option)
                    if option.keys() & given.keys():
                        raise BadText("record.twice", head=next(iter(option)))
                    given |= in_full(game.options, option)
                except HexboardError as error:
                    self.refused(error, part.line)
        if self.wrong:
            raise BadFile(self.file, tuple(self.wrong))
        return given

    def _names(self, seats: tuple[str, ...]) -> tuple[str, ...]:
        """Who plays; every header is looked at meanwhile."""
        known = ("Game", "Board", "Option", "Start", *seats, *FREE)
        seen: set[str] = set()
        for part in self.heads:
            if part.head not in known:
                near, names = nearest(part.head, list(known)), ", ".join(known)
                self.mistake("record.header", part.line, head=part.head, near=near, known=names)
            elif part.head in seen and part.head != "Option":
                self.mistake("record.wrong", part.line, why=message("record.twice", head=part.head))
            seen.add(part.head)
        given = {part.head: part.value for part in self.heads}
        found = tuple(given.get(seat, "") for seat in seats)
        return found if any(found) else ()

    def _play(self, match: Match[Action]) -> None:
        """Play what stands there up to the first mistake."""
        if start := self._one("Start"):
            match.add(Ruled(start.value, "", ""))
        due = 1
        for n, part in enumerate(self.body):
            self.at = part.line
            if part.number and part.number != due:
                self.mistake("record.number", part.line, found=part.number, due=due)
                return
            due += part.number > 0
            if part.head == "Result":
                self._ended(match, part, self.body[n + 1 :])
                return
            if part.head == "Set":
                match.add(Ruled(part.value, "", ""))
            elif not self._moves(match, part):
                return
        self.mistake("record.no_result", self.lines)

    def _moves(self, match: Match[Action], part: _Part) -> bool:
        """Play one line; whether that could be done."""
        for name in filter(None, map(str.strip, f"{part.value} ".split(", "))):
            try:
                match.play(match.position.action(name))
            except (BadText, IllegalAction) as error:
                hint: Said = message("record.comma") if " " in name else ""
                why, short = error.message, name[:60]
                self.mistake("record.stops", part.line, name=short, why=why, hint=hint)
                return False
        return True

    def _ended(self, match: Match[Action], part: _Part, rest: list[_Part]) -> None:
        wanted, scores = result(match.position), match.position.scores or ("*",)
        if _line(part.value) not in (wanted, "-".join(map(str, scores))):
            self.mistake("record.result", part.line, found=part.value, wanted=wanted)
        if rest:
            self.mistake("record.after", rest[0].line)


def _option(game: AnyGame[Action], text: str) -> Options:
    """An option as its line has it. Raises `BadText`."""
    name, is_one, value = text.partition("=")
    if value[:1] == '"':
        try:
            value = json.loads(value)
        except ValueError:
            raise BadText("record.quotes", name=name) from None
    return registry.read_options(game, [f"{name}{is_one}{value}"])
