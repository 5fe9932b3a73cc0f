"""The moves of the match so far, each as its game writes it, and the board after any of them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from hexboard.game.game import AnyGame
from hexboard.game.match import Entry, Match, Played, Ruled
from hexboard.game.position import CHANCE, Action, Position
from hexboard.lights.frame import LightSettings, Power
from hexboard.table import TableView
from hexboard.table.view import PiecesView
from hexboard.web.guard import HEADERS
from hexboard.web.sheet import Sheet, shown, table_sheet, teller
from hexboard.web.spoken import spoken_by
from hexboard.words import Message, message, say, speaking
from hexboard.words.errors import HexboardError

NEWEST = 8
"""So many of the moves stand in each state; who misses others asks for all."""
START = -1
"""Stands for the entry before the first: the board as the match began."""


class ListedMove(NamedTuple):
    """One entry that still counts, as everybody may know it, and the position after it."""

    entry: int
    seat: int
    """Who made it; -1 for chance, and for a host's word."""
    said: str | Message
    """The game's own notation, or the sentence; "" for what nobody would list."""
    after: Position[Action]


class History:
    """The moves of one match: written in one thread (`follow`), read in any."""

    def __init__(self) -> None:
        self.steps: tuple[ListedMove, ...] = ()
        self._view: TableView[Action] | None = None
        self._first: Position[Action] | None = None

    def follow(self, match: Match[Action], view: TableView[Action]) -> None:
        """Take over what was played, and taken back, since this was called last."""
        line = match.line
        kept = list(self.steps if self._first is line[0] else ())
        while kept and (len(kept) >= len(line) or kept[-1].after is not line[len(kept)]):
            kept.pop()
        new = zip(match.counting[len(kept) :], pairwise(line[len(kept) :]), strict=True)
        kept += [
            _listed(view.game, entry, match.heard[entry], before, after)
            for entry, (before, after) in new
        ]
        self._first, self._view, self.steps = line[0], view, tuple(kept)

    def newest(self) -> Sheet:
        """How many steps there are, and the last of them, for each state."""
        return {"n": len(self.steps), "last": list(self._rows(self.steps[-NEWEST:]))}

    def moves(self) -> bytes:
        """All of them, `[entry, seat, text]` each (JSON)."""
        return msgspec.json.encode(list(self._rows(self.steps)))

    def board(self, entry: str) -> bytes:
        """The state after an entry, as everybody was shown it (JSON). Raises `HexboardError` where
        it counts no more."""
        steps, view = self.steps, self._view
        found = {str(step.entry): step.after for step in steps} | {str(START): self._first}
        position = found.get(entry)
        if view is None or position is None:
            raise HexboardError("web.no_moment")
        then = _then(view, position)
        marks = then.public.scene()
        sheet = table_sheet(then, START, view.committed, Power(), LightSettings())
        return msgspec.json.encode(sheet | {"marks": marks})

    def _rows(self, steps: tuple[ListedMove, ...]) -> Iterator[tuple[int, int, str]]:
        view = self._view
        if view is None:
            return
        tell = teller(shown(view.game), view.public, view.names)
        for step in steps:
            said = step.said
            yield step.entry, step.seat, said if isinstance(said, str) else tell(said)


def _listed(
    game: AnyGame[Action],
    entry: int,
    heard: Entry,
    before: Position[Action],
    after: Position[Action],
) -> ListedMove:
    if isinstance(heard, Ruled):
        told = message("table.ruled", who=heard.who, why=heard.why or "-")
        return ListedMove(entry, CHANCE, told, after)
    assert isinstance(heard, Played)
    try:
        action = game.public(before).action(heard.action)
        seat = before.actor(action)
    except HexboardError:  # what a game hides it need not be able to read
        return ListedMove(entry, CHANCE, heard.action, after)
    return ListedMove(entry, seat, _said(game, before, action, after), after)


def _said(
    game: AnyGame[Action], before: Position[Action], action: Action, after: Position[Action]
) -> str | Message:
    """A move in the game's notation, else as the sentence that was told of it, else in the words
    of its button."""
    if game.notation is not None and (written := game.notation(before, action)):
        return written
    if after.events:
        return after.events[0]
    phrase = game.phrase(before, action)
    return "" if phrase is None else phrase.said


def _then(view: TableView[Action], position: Position[Action]) -> TableView[Action]:
    """What the table showed at a position, with nothing that goes on there."""
    still = PiecesView((), (), None) if view.pieces else None
    return replace(
        view, position=position, asking=None, todo=(), confirm=False, log=(), pieces=still, own=None
    )


def routes(history: History, language: str) -> tuple[Route, ...]:
    """Where pages ask for all moves, and for the board after one; made beside the web's thread."""

    def answer(request: Request) -> Response:
        entry = request.path_params.get("entry")
        with speaking(spoken_by(request, language)):
            try:
                body = history.moves() if entry is None else history.board(entry)
            except HexboardError as error:
                return PlainTextResponse(f"{say(error.message)}\n", 404, HEADERS)
        return Response(body, 200, HEADERS, "application/json")

    return Route("/moves", answer), Route("/moves/{entry}", answer)
