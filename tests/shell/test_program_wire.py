"""A program's way from its pipe to a board, at a board that is made up: what breaks on that way."""

import contextlib
import json
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from hexboard.commands import guest, phone
from hexboard.commands.phone import UNANSWERED, Address, Seat, Wire
from hexboard.game.referee import written
from hexboard.words import Message
from hexboard.words.errors import BadText
from tests.running import eventually

Answers = Callable[[ServerConnection, Any], object]
"""What a board does with a request."""


class Board:
    """A board that answers as `does` says, and keeps what it was asked, by connection."""

    def __init__(self, does: Answers) -> None:
        self.does, self.asked = does, list[list[Any]]()
        self._server = serve(self._hear, "127.0.0.1", 0)
        self.seat = Seat(Address(False, "127.0.0.1", self._server.socket.getsockname()[1]), "key=1")
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _hear(self, socket: ServerConnection) -> None:
        mine: list[Any] = []
        self.asked.append(mine)
        for text in socket:
            mine.append(text if "[[[" in str(text) else json.loads(text))
            self.does(socket, mine[-1])

    def close(self) -> None:
        self._server.shutdown()


@contextlib.contextmanager
def board(does: Answers) -> Iterator[Board]:
    with contextlib.closing(Board(does)) as found:
        yield found


def tells(socket: ServerConnection, *lines: Any) -> None:
    for line in lines:
        socket.send(json.dumps(line))


def nothing() -> None:
    pass


SUBSCRIBE = {"do": "subscribe", "to": [{"do": "state"}]}


def changed(number: int, **more: Any) -> dict[str, Any]:
    return {**more, "change": number, "answers": [{"ok": True, "seat": number}]}


def test_an_answer_is_told_from_news_and_of_those_the_last_is_kept() -> None:
    def does(socket: ServerConnection, asked: Any) -> None:
        if asked["do"] == "subscribe":
            tells(socket, changed(0, ok=True))
        else:
            tells(socket, changed(1), changed(2), {"ok": False, "id": asked["id"]})

    with board(does) as at, contextlib.closing(Wire(at.seat, 1, nothing)) as wire:
        assert wire.news() is None
        assert not at.asked  # it is there only when it is needed
        assert wire.ask(written(SUBSCRIBE), nothing)["ok"]
        assert wire.ask(written({"do": "act", "id": 3}), nothing) == {"ok": False, "id": 3}
        assert json.loads(wire.news() or b"") == changed(2)
        assert wire.news() is None


def test_a_wire_that_broke_is_there_again_with_what_was_subscribed_to() -> None:
    def does(socket: ServerConnection, asked: Any) -> None:
        if asked["do"] == "subscribe":
            tells(socket, changed(len(at.asked), ok=True))
        elif len(at.asked) == 1:
            socket.close()
        else:
            tells(socket, {"ok": True})

    with board(does) as at, contextlib.closing(Wire(at.seat, 1, nothing)) as wire:
        assert wire.ask(written(SUBSCRIBE), nothing)["ok"]
        with pytest.raises(UNANSWERED):
            wire.ask(written({"do": "legal"}), nothing)
        assert wire.ask(written({"do": "legal"}), nothing) == {"ok": True}
        assert at.asked == [[SUBSCRIBE, {"do": "legal"}], [SUBSCRIBE, {"do": "legal"}]]
        assert json.loads(wire.news() or b"") == changed(2)


def test_what_was_subscribed_to_and_is_refused_later_is_no_news_but_asked_again() -> None:
    """As while seats are given anew, just after a restart."""

    def does(socket: ServerConnection, asked: Any) -> None:
        if len(at.asked) == 1:
            tells(socket, changed(0, ok=True))
            socket.close()
        elif len(at.asked) < 4:
            tells(socket, {"ok": False, "key": "front.changing"})
        else:
            tells(socket, changed(4, ok=True))

    woken: list[bool] = []
    with (
        board(does) as at,
        contextlib.closing(Wire(at.seat, 1, lambda: woken.append(True))) as wire,
    ):
        assert wire.ask(written(SUBSCRIBE), nothing)["ok"]
        eventually(lambda: len(woken) == 2)  # by the answer, and as it broke
        for _ in range(3):
            assert (wire.news(), wire.away) == (None, True)
        assert json.loads(wire.news() or b"") == changed(4)


def test_where_nobody_is_there_nobody_is_woken() -> None:
    def does(socket: ServerConnection, asked: Any) -> None:
        tells(socket, changed(0, ok=True))
        socket.close()

    woken: list[bool] = []
    with contextlib.ExitStack() as stack:
        at = stack.enter_context(board(does))
        wire = Wire(at.seat, 1, lambda: woken.append(True))
        assert wire.ask(written(SUBSCRIBE), nothing)["ok"]
        eventually(lambda: len(woken) == 2)  # the answer, and the end
        stack.close()
        assert wire.news() is None
        assert wire.news() is None
        assert (wire.away, len(woken)) == (True, 2)


def test_as_a_game_ends_what_is_told_last_is_how_it_ended() -> None:
    """What came before lies there still; and what was told already is not told again."""

    def does(socket: ServerConnection, asked: Any) -> None:
        if len(at.asked[0]) == 1:
            tells(socket, changed(1, ok=True), changed(2))
        else:
            tells(socket, changed(3, ok=True))

    with board(does) as at, contextlib.closing(Wire(at.seat, 1, nothing)) as wire:
        assert wire.ask(written(SUBSCRIBE), nothing)["ok"]
        eventually(lambda: not wire._come.empty())
        assert json.loads(wire.news(anew=True) or b"") == changed(3)
        assert wire.news(anew=True) is None


# ------------------------------------------------------------------------------ with its guest


class Line(phone.Phone):
    """A page's line at which a seat is asked to move until `moved`."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, lambda _: None)
        self.you = {"seats": [0], "host": False}
        self.shows()

    def shows(self, *last: list[Any], **more: Any) -> None:
        state = {
            "match": "m",
            "game": "g",
            "front": False,
            "question": None,
            "scores": None,
            "active": 0,
            "people": [],
            "seats": ["Black", "White"],
            "line": {"last": [*last]},
            **more,
        }
        self.told = state, 1
        self._now()


BOT = """
import json, sys
def say(line):
    print(line if isinstance(line, str) else json.dumps(line), flush=True)
    told = json.loads(sys.stdin.readline())
    print(json.dumps(told), file=sys.stderr, flush=True)
    return told
"""


def plays(
    at: Board, line: Line, code: str, capfd: pytest.CaptureFixture[str]
) -> tuple[list[Any], list[Message]]:
    """What a program is answered until it ends, and what people are told."""
    echoed: list[Message] = []
    command = shlex.join([sys.executable, "-c", BOT + code])
    plays = guest.Guest(line, command, echoed.append)
    plays._match, plays._game = "m", "g"
    plays._seat()
    with contextlib.closing(plays), contextlib.suppress(BadText):
        plays._hear(0)
    return [json.loads(it) for it in capfd.readouterr().err.splitlines() if it], echoed


@pytest.mark.long
def test_a_list_is_answered_by_a_list_though_its_move_broke_the_wire(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The table took the move, and was gone before it said so: it is not said again."""
    monkeypatch.setattr(guest, "AGAIN_S", 0.01)

    def does(socket: ServerConnection, asked: Any) -> None:
        if asked["do"] == "act":
            line.shows([0, 0, "b1 to c1"])
            socket.close()
        else:
            tells(socket, {"ok": True, "id": asked["id"]})

    with board(does) as at:
        line = Line(at.seat)
        acts = [{"do": "state", "id": 1}, {"do": "act", "action": "b1-c1", "id": 2}]
        acts.append({"do": "state", "id": 3})
        told, echoed = plays(at, line, f"say({acts!r})", capfd)
        assert [(it["id"], it["ok"]) for it in told[0]] == [(1, True), (2, True), (3, True)]
        assert [[it["id"] for it in asked] for asked in at.asked] == [[1, 2], [3]]
        assert [it.key for it in echoed] == ["join.plays", "join.moved"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "said"), [("table.in_pause", 3), ("hexalma.empty", 1), ("daemon.crashed", 1)]
)
def test_a_move_is_said_again_where_the_table_has_no_time_and_not_where_it_crashed(
    key: str,
    said: int,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(guest, "WAITS_S", (0.01, 0.01))

    def does(socket: ServerConnection, asked: Any) -> None:
        tells(socket, {"ok": False, "key": key, "id": asked["id"]})

    with board(does) as at:
        code = 'say({"do": "act", "action": "b1-c1", "id": 2})'
        told, _ = plays(at, Line(at.seat), code, capfd)
        assert told == [{"ok": False, "key": key, "id": 2}]
        assert len(at.asked[0]) == said


@pytest.mark.long
def test_what_a_board_would_not_read_is_refused_on_the_way(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code = """
say("{")
say({"do": "view", "seat": "x" * 5000, "id": 4})
for deep in range(900, 1000):
    say('{"do": ' + "[" * deep + "]" * deep + '}')
"""
    with board(lambda socket, asked: tells(socket, {"ok": False, "key": "unknown"})) as at:
        told, _ = plays(at, Line(at.seat), code, capfd)
    assert [it["key"] for it in told[:2]] == ["referee.json", "referee.long"]
    assert told[1]["id"] == 4
    assert {it["key"] for it in told[2:]} <= {"referee.json", "unknown"}
    assert len(told) == 102


@pytest.mark.long
def test_a_program_that_waits_for_news_hears_them_though_only_its_wire_was_gone(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The page's line holds, and tells nothing new."""
    monkeypatch.setattr(guest, "AGAIN_S", 0.01)

    def does(socket: ServerConnection, asked: Any) -> None:
        if len(at.asked) in (2, 3):
            tells(socket, {"ok": False, "key": "front.changing"})
            return
        tells(socket, changed(len(at.asked), ok=True))
        if len(at.asked) == 1:
            socket.close()

    with board(does) as at:
        code = (
            f"say({json.dumps(SUBSCRIBE)!r})\nprint(sys.stdin.readline(), end='', file=sys.stderr)"
        )
        told, _ = plays(at, Line(at.seat), code, capfd)
    assert told == [changed(1, ok=True), changed(4)]
