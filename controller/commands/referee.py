"""The referee on a pipe: one JSON object a line in, one line out, and never an end in a bad one.

    {"do": "act", "action": "e5-e7"}   →  {"ok": true, "events": […]}
                                       or {"ok": false, "rule": "ALMA-3.3", "reason": "…"}

`do` is act, legal, state, position, view (with `seat`), scene, undo or load (with `position`). Who
speaks here is the referee and knows all cards; `view`, and `legal` with a `seat`, are what that
seat may know.
"""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, TypeVar

from hexboard.board import Board
from hexboard.game.game import Game
from hexboard.game.match import Match
from hexboard.game.options import Options
from hexboard.game.position import CHANCE, Action, Position
from hexboard.game.registry import used
from hexboard.words import Message, say
from hexboard.words.errors import BadText, HexboardError, IllegalAction

A = TypeVar("A")
LONGEST_BYTES = 100_000
"""Bytes of a line that are read; a longer one is refused."""


def lines(pipe: BinaryIO) -> Iterator[bytes]:
    """The lines of a pipe; of one that is too long only so much that it is seen to be."""
    while line := pipe.readline(LONGEST_BYTES + 1):
        rest = line
        while len(rest) > LONGEST_BYTES and not rest.endswith(b"\n"):
            rest = pipe.readline(LONGEST_BYTES + 1)
        if line.strip():
            yield line


class Referee:
    """One match of one game, spoken to in lines."""

    def __init__(self, game: Game[Action], board: Board, options: Options, text: str = "") -> None:
        """Raises `BadText` for options, or a position text, that are none of the game's."""

        def parse(text: str) -> Position[Action]:
            return game.read(text, board, options)

        first = parse(text) if text else game.begin(board, options)
        self.game, self._parse = game, parse
        self.match = Match(game, first, parse)

    def line(self, line: bytes) -> bytes:
        """The answer to one line; both are JSON in UTF-8, whatever the locale is."""
        answer = json.dumps(self._answer(line), ensure_ascii=False)
        return answer.encode("utf-8", "backslashreplace")  # JSON writes half a character so too

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            if len(line) > LONGEST_BYTES:
                raise BadText("referee.long", most=LONGEST_BYTES)
            try:
                asked = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                raise BadText("referee.json", why=str(error)) from None
            if not isinstance(asked, dict):
                raise BadText("referee.object")
            with used(self.game.name):
                return {"ok": True, **self._do(asked)}
        except IllegalAction as error:
            return {"ok": False, "rule": error.message.rule, "reason": say(error.message)}
        except HexboardError as error:
            return {"ok": False, "rule": error.message.rule, "reason": str(error)}

    def _do(self, asked: dict[str, Any]) -> dict[str, Any]:
        position = self.match.position
        match asked:
            case {"do": "act", "action": str(name)}:
                after = self.match.play(position.action(name))
                return {"events": [_event(event) for event in after.events]}
            case {"do": "legal", "seat": int(seat)} if 0 <= seat < len(position.seats):
                seen = self.game.view(position, seat)
                return {"legal": [seen.name(action) for action in seen.legal]}
            case {"do": "legal", **rest} if "seat" not in rest:
                return {"legal": [position.name(action) for action in position.legal]}
            case {"do": "state"}:
                return _state(position)
            case {"do": "position"}:
                return {"position": str(position)}
            case {"do": "view", "seat": int(seat)} if 0 <= seat < len(position.seats):
                return {"position": str(self.game.view(position, seat))}
            case {"do": "scene"}:
                return {"scene": [[m.place, m.meaning.value, m.count] for m in position.scene()]}
            case {"do": "undo"}:
                return self._undo()
            case {"do": "load", "position": str(text)}:
                self.match = Match(self.game, self._parse(text), self._parse)
                return {"position": str(self.match.position)}
        raise BadText("referee.unknown", asked=json.dumps(asked)[:80])

    def _undo(self) -> dict[str, Any]:
        to = self.match.last_choice()
        if to is None:
            raise BadText("table.nothing_to_undo")
        return {"position": str(self.match.back(to))}


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


def _event(event: Message) -> dict[str, Any]:
    return {"key": event.key, "rule": event.rule, "text": say(event), **dict(event.values)}


def perft(position: Position[A], depth: int) -> int:
    """How many sequences of `depth` actions there are from here: chance by distinct effect."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal)
    return sum(perft(position.play(action), depth - 1) for action in position.legal)


def distinct(position: Position[A], depth: int) -> int:
    """How many different positions there are after `depth` actions."""
    reached = {position}
    for _ in range(depth):
        reached = {before.play(action) for before in reached for action in before.legal}
    return len(reached)
