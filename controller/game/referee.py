"""The referee that programs speak to: a JSON object a line in, one out, and never an end in a bad
one.

    {"do": "act", "action": "e5-e7"}   →  {"ok": true, "events": […]}
                                       or {"ok": false, "rule": "ALMA-3.3", "reason": "…", …}

docs/referee.md is the contract. A `Referee` knows all cards; `view`, and `legal` with a `seat`, are
what that seat may know. A `SeatReferee` tells the program of one seat no more than that.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from hexboard.board import Board
from hexboard.game.game import AnyGame
from hexboard.game.match import Match
from hexboard.game.options import Option, Options
from hexboard.game.position import CHANCE, Action, Position
from hexboard.game.registry import used
from hexboard.game.written import IMPOSSIBLE, PROBLEM, REACHABLE, doubt, load, meant
from hexboard.words import ENGLISH, Message, plain_values, refusal, say, speaking
from hexboard.words.errors import BadText, HexboardError

A = TypeVar("A")
P = TypeVar("P", bound=Position[Any])
PROTOCOL = 1
"""The version of docs/referee.md; what is only added does not change it."""
CHANGES = ("act", "undo", "load", "subscribe")
"""Requests that change something: they are done once, and are nothing to subscribe to."""
MOST_SUBSCRIBED = 16
LONGEST_BYTES = 100_000
"""Bytes of a line that are read; a longer one is refused."""


class Referee:
    """One match of one game, spoken to in lines."""

    def __init__(
        self,
        game: AnyGame[Action],
        board: Board,
        options: Options,
        text: str = "",
        problem: bool = False,
        match: Match[Action] | None = None,
    ) -> None:
        """Of a match that goes on, or of one that begins. Raises `BadText` for options, or a
        position text, that are none of the game's; for one that is a problem where `problem` does
        not ask for it."""
        self.game, self._options, self._board = game, options, board
        if match is None:
            if text:
                first = load(game, text, board, options, problem)
            else:
                first = game.begin(board, options)
            match = Match(game, first, self._parse)
        self.match = match
        self._subscribed: list[Any] = []
        self._changes = self._said = 0

    def _parse(self, text: str) -> Position[Action]:
        return self.game.read(text, self._board, self._options)

    def line(self, line: bytes) -> bytes:
        """The answer to one line; both are JSON in UTF-8, whatever the locale is."""
        return written(self._answer(line))

    def news(self) -> bytes | None:
        """What was subscribed to, as it is now; None where nothing has changed since the last."""
        if not self._subscribed or self._said == self._changes:
            return None
        self._said = self._changes
        told = {"change": self._changes, "answers": [self.answer(it) for it in self._subscribed]}
        return written(told)

    def _answer(self, line: bytes) -> Any:
        try:
            asked = read(line)
        except BadText as error:
            return refused(error)
        return [self.answer(it) for it in asked] if isinstance(asked, list) else self.answer(asked)

    def answer(self, asked: object) -> dict[str, Any]:
        """The answer to one request, with its `id` where it has one."""
        own: dict[str, Any] = {}
        try:
            if not isinstance(asked, dict):
                raise BadText("referee.object")
            own = _id(asked)
            with used(self.game.name), speaking(ENGLISH):  # programs read it
                return {**own, "ok": True, **self._do(asked)}
        except HexboardError as error:
            return {**own, **refused(error)}

    def _do(self, asked: dict[str, Any]) -> dict[str, Any]:
        match asked:
            case {"do": "act", "action": str(name)}:
                after = self.match.play(self.match.position.action(name))
                self._changes += 1
                return {"events": [told(event) for event in after.events]}
            case {"do": "undo"}:
                return self._undo()
            case {"do": "load", "position": str(text), **how}:
                return self._load(text, how.get("problem") is True)
            case {"do": "subscribe", "to": list(wanted)}:
                return self._subscribe(wanted)
        return self._ask(asked)

    def _ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What changes nothing, and can be subscribed to."""
        position = self._position
        match asked:
            case {"do": "hello"}:
                return self._hello()
            case {"do": "legal" | "view", "seat": seat} if not _is_seat(position, seat):
                shown = seat if type(seat) is int else _said(seat, 40)
                raise BadText("referee.no_such_seat", seat=shown, last=len(position.seats) - 1)
            case {"do": "legal", "seat": int(seat), **how}:
                return self._legal(self.game.view(position, seat), how)
            case {"do": "legal", **how}:
                return self._legal(position, how)
            case {"do": "state"}:
                return _state(position)
            case {"do": "position"}:
                return {"position": str(position)}
            case {"do": "view", "seat": int(seat)}:
                return {"position": str(self.game.view(position, seat))}
            case {"do": "scene"}:
                return {"scene": [[m.place, m.meaning.value, m.count] for m in position.scene()]}
        raise BadText("referee.unknown", asked=_said(asked))

    @property
    def _position(self) -> Position[Action]:
        """As whoever asks may know it."""
        return self.match.position

    def _subscribe(self, wanted: list[Any]) -> dict[str, Any]:
        """From now on each change is followed by the answers to these requests; none ends it."""
        if len(wanted) > MOST_SUBSCRIBED:
            raise BadText("referee.subscribed", most=MOST_SUBSCRIBED)
        for asked in wanted:
            if not isinstance(asked, dict) or asked.get("do") in CHANGES:
                raise BadText("referee.unasked", asked=_said(asked))
            _id(asked)
            self._ask(asked)
        self._subscribed, self._said = wanted, self._changes
        return {"change": self._changes, "answers": [self.answer(it) for it in wanted]}

    def _hello(self) -> dict[str, Any]:
        from hexboard import __version__  # here, for it takes longer to find than all the rest

        game, position = self.game, self.match.position
        return {
            "protocol": PROTOCOL,
            "hexboard": __version__,
            "game": game.name,
            "rules": game.rules(),
            "seats": [say(seat) for seat in position.seats],
            "options": {it.name: _option(it, self._options) for it in game.options},
        }

    def _legal(self, position: Position[Action], how: dict[str, Any]) -> dict[str, list[Any]]:
        """The moves, and what seats may do beside them, by name; in `full` what a finger touches,
        and the words, of each."""
        full = how.get("full") is True

        def named(actions: Iterable[Action]) -> list[Any]:
            mine = (action for action in actions if self._may(position, action))
            return [self._in_full(position, it) if full else position.name(it) for it in mine]

        return {"legal": named(position.legal), "acts": named(self.game.table_acts(position))}

    def _may(self, position: Position[Action], action: Action) -> bool:
        """Whether who asks may do it."""
        return True

    def _in_full(self, position: Position[Action], action: Action) -> dict[str, Any]:
        phrase = self.game.phrase(position, action)
        group = phrase.group if phrase else None
        places = self.game.touchable(position).places(action) if self.game.touched else ()
        return {
            "name": position.name(action),
            "seat": position.actor(action),
            "places": places,
            "text": say(phrase.said) if phrase else "",
            "group": say(group) if group else "",
        }

    def _load(self, text: str, problem: bool) -> dict[str, Any]:
        """What the position `is` (`hexboard.game.written`), be it taken or refused."""
        found = IMPOSSIBLE
        try:
            first = self._parse(text)
            found = PROBLEM if doubt(self.game, first) else REACHABLE
            why = meant(self.game, first, problem)
        except BadText as error:
            return {**refused(error), "is": found}
        self.match = Match(self.game, first, self._parse)
        self._changes += 1
        return {"position": str(first), "problem": say(why) if why else "", "is": found}

    def _undo(self) -> dict[str, Any]:
        to = self.match.last_choice()
        if to is None:
            raise BadText("table.nothing_to_undo")
        self._changes += 1
        return {"position": str(self.match.back(to))}


class SeatReferee(Referee):
    """The referee of a match that goes on, as the program of one seat hears it: it is told what
    that seat may know, and moves for that seat alone."""

    def __init__(
        self,
        game: AnyGame[Action],
        board: Board,
        options: Options,
        match: Match[Action],
        seat: int,
    ) -> None:
        super().__init__(game, board, options, match=match)
        self.seat = seat
        self.refused = 0
        """How often it was in a row."""
        self._told = match.position

    def news(self) -> bytes | None:
        if (now := self.match.position) is not self._told:
            self._told = now
            self._changes += 1
        return super().news()

    def _do(self, asked: dict[str, Any]) -> dict[str, Any]:
        match asked:
            case {"do": "act", "action": str(name)}:
                return self._act(name)
            case {"do": "undo" | "load"}:
                raise BadText("referee.not_here")
        return super()._do(asked)

    def _act(self, name: str) -> dict[str, Any]:
        self.refused += 1
        action = self.match.position.action(name)
        if not self._may(self.match.position, action):
            raise BadText("referee.not_yours")
        after = self._play(action)
        self.refused = 0
        return {"events": [told(event) for event in self.game.view(after, self.seat).events]}

    def _play(self, action: Action) -> Position[Action]:
        """The position after it. Raises `HexboardError` where it is refused."""
        return self.match.play(action)

    def _ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked.get("seat", self.seat) != self.seat:
            raise BadText("referee.not_yours")
        return super()._ask(asked)

    def _may(self, position: Position[Action], action: Action) -> bool:
        return position.actor(action) == self.seat

    @property
    def _position(self) -> Position[Action]:
        return self.game.view(self.match.position, self.seat)

    def _hello(self) -> dict[str, Any]:
        return {**super()._hello(), "seat": self.seat}


def read(line: bytes) -> Any:
    """What a line says: a request, or a list of them. Raises `BadText`."""
    if len(line) > LONGEST_BYTES:
        raise BadText("referee.long", most=LONGEST_BYTES)
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadText("referee.json", why=str(error)) from None


def written(told: object) -> bytes:
    """An answer as a line; half a character is written as JSON has it."""
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _state(position: Position[Action]) -> dict[str, Any]:
    seat = next((position.actor(action) for action in position.legal), None)
    question = None if seat in (None, CHANCE) else position.question(seat)
    return {
        "seat": seat,
        "chance": seat == CHANCE,
        "over": position.scores is not None,
        "scores": position.scores,
        "question": question and say(question.message),
    }


def _said(asked: object, most: int = 80) -> str:
    """The beginning of what was asked. It was read; to write what is nested so deep may be one
    level too much."""
    try:
        return json.dumps(asked)[:most]
    except RecursionError:
        return "…"


def _id(asked: dict[str, Any]) -> dict[str, Any]:
    """What the answer to a request has of it. Raises `BadText`."""
    if type(asked.get("id")) not in (str, int, type(None)):
        raise BadText("referee.id")
    return {"id": asked["id"]} if "id" in asked else {}


def _is_seat(position: Position[A], seat: object) -> bool:
    return type(seat) is int and 0 <= seat < len(position.seats)


def _no_number(word: str) -> None:
    """Python reads NaN and Infinity in JSON, and writes them; others do not."""
    raise ValueError(f"{word} is no number")


def _option(option: Option, given: Options) -> dict[str, Any]:
    """What an option is in this match, and what it may be."""
    choices = (False, True) if type(option.default) is bool else option.choices
    allowed: dict[str, Any] = {"choices": choices} if choices else {}
    if not allowed and type(option.default) is int:
        allowed = {"least": option.least, "most": option.most}
    return {"is": given.get(option.name, option.default), "default": option.default, **allowed}


def told(event: Message) -> dict[str, Any]:
    """An event, as programs are told it."""
    return {"key": event.key, "rule": event.rule, "text": say(event), **plain_values(event)}


def refused(error: HexboardError, asked: object = None) -> dict[str, Any]:
    """The answer to what is refused, with the `id` of what was asked."""
    own = {"id": asked["id"]} if isinstance(asked, dict) and "id" in asked else {}
    with speaking(ENGLISH):
        told = {**refusal(error.message), "reason": str(error)}  # of a file all mistakes
    return {**own, "ok": False, **told}


def listed(position: Position[A]) -> int:
    """How many moves there are, of any game."""
    return len(position.legal)


def perft(position: P, depth: int, many: Callable[[P], int] = listed) -> int:
    """How many sequences of `depth` actions there are from here: chance by distinct effect.
    The last ones are only counted, by the game itself where it can (`Game.move_count`)."""
    if depth == 0:
        return 1
    if depth == 1:
        return many(position)
    return sum(perft(position.play(action), depth - 1, many) for action in position.legal)


def distinct(position: Position[A], depth: int) -> int:
    """How many different positions there are after `depth` actions."""
    reached = {position}
    for _ in range(depth):
        reached = {before.play(action) for before in reached for action in before.legal}
    return len(reached)
