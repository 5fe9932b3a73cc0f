"""The referee's lines on a board's own wire, `/referee`: docs/referee.md, "At a table"."""

import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from hexboard.commands import phone
from tests.running import PATIENCE, Page, Running
from tests.shell.test_join import plies
from tests.shell.test_phones import invited, told

PAGE = Path(__file__).parents[2] / "docs" / "referee.md"
Start = Callable[..., Running]


class Lines:
    """A program that another hand might have written: it knows the page of the protocol alone."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    def say(self, line: object) -> None:
        self._socket.send(line if isinstance(line, str) else json.dumps(line))

    def hear(self) -> Any:
        return json.loads(self._socket.recv(timeout=PATIENCE))

    def ask(self, *requests: dict[str, Any]) -> Any:
        """The answer to one request, or to a list of several."""
        self.say(requests[0] if len(requests) == 1 else requests)
        return self.hear()

    def hears_nothing(self, seconds: float = 0.3) -> bool:
        with contextlib.suppress(TimeoutError):
            self._socket.recv(timeout=seconds)
            return False
        return True


@contextlib.contextmanager
def seated(host: Page, link: str, seat: str = "") -> Iterator[Lines]:
    """Who takes an invitation, at the board's wire."""
    taken = phone.take(phone.invitation(link), "Ann")
    with wire(taken, seat) as lines:
        yield lines


@contextlib.contextmanager
def wire(taken: phone.Seat, seat: str = "") -> Iterator[Lines]:
    there = taken.address
    asked = f"?seat={seat}" if seat else ""
    with connect(
        f"ws://{there.host}:{there.port}/referee{asked}",
        close_timeout=1,
        additional_headers={"Cookie": taken.cookie, "Origin": there.origin},
    ) as socket:
        yield Lines(socket)


@pytest.mark.long
def test_a_program_plays_a_seat_in_lines(start: Start) -> None:
    running = start("--game", "hexalma", "--option", "repetition=off")
    with running.page() as host, seated(host, invited(host, 0)["link"]) as lines:
        hello = lines.ask({"do": "hello", "id": 1})
        assert (hello["id"], hello["ok"], hello["protocol"], hello["seat"]) == (1, True, 1, 0)
        assert (hello["game"], hello["options"]["repetition"]["is"]) == ("hexalma", "off")
        assert "b1-c1" in lines.ask({"do": "legal"})["legal"]
        both = lines.ask({"do": "state", "id": "a"}, {"do": "legal", "full": True, "id": "b"})
        assert [(it["id"], it["ok"]) for it in both] == [("a", True), ("b", True)]
        assert (both[0]["seat"], both[0]["question"]) == (0, "Black: move one of your discs.")
        assert ["b1", "c1"] in [it["places"] for it in both[1]["legal"] if it["seat"] == 0]
        host.rule("pause")
        host.until(lambda s: s["paused"])
        assert lines.ask({"do": "state"})["seat"] is None
        assert lines.ask({"do": "act", "action": "b1-c1"})["key"] == "table.in_pause"
        host.rule("go on")
        host.until(lambda s: not s["paused"])
        subscribed = lines.ask({"do": "subscribe", "to": [{"do": "state"}]})
        assert (subscribed["ok"], subscribed["answers"][0]["seat"]) == (True, 0)
        refused = lines.ask({"do": "act", "action": "d5-e5", "id": 9})
        assert (refused["ok"], refused["id"], refused["rule"]) == (False, 9, "ALMA-3.1")
        taken = lines.ask({"do": "act", "action": "b1-c1", "id": 10})
        assert (taken["id"], taken["ok"]) == (10, True)
        assert taken["events"][0]["key"] == "hexalma.moves"
        news = lines.hear()
        assert "ok" not in news
        assert news["answers"][0]["seat"] is None  # the disc has still to be moved by a hand
        assert news["answers"][0]["question"] == "White: move one of your discs."
        host.until(lambda s: s["todo"])
        host.rule("right")
        host.until(lambda s: not s["todo"])
        assert lines.hear()["answers"][0]["seat"] == 1
        host.send("declare", seat=-1, action="h1-g1")
        assert lines.hear()["answers"][0]["seat"] == 0
        assert lines.hears_nothing()


@pytest.mark.long
def test_what_is_no_line_or_not_its_own_is_refused_and_the_wire_goes_on(start: Start) -> None:
    running = start("--game", "hexalma")
    with running.page() as host, seated(host, invited(host, 1)["link"]) as lines:
        keys = []
        for line in (
            "no json",
            '"text"',
            '{"do": "nothing"}',
            '{"do": "undo"}',
            '{"do": "load", "position": "x"}',
            '{"do": "legal", "seat": 0}',
            '{"do": "act", "action": "b1-c1"}',
            '{"do": "act", "action": "h1-g1", "id": 5}',
            '{"do": "state", "id": [1]}',
        ):
            lines.say(line)
            answer = lines.hear()
            assert answer["ok"] is False
            keys.append(answer["key"])
        there, mine = "referee.not_here", "referee.not_yours"
        assert keys[:7] == [
            "referee.json",
            "referee.object",
            "referee.unknown",
            there,
            there,
            mine,
            mine,
        ]
        assert keys[8] == "referee.id"
        lines.say("[]")
        assert lines.hear() == []
        assert lines.ask({"do": "state"})["ok"]
        for n in range(40):
            lines.say({"do": "state", "id": n})
        answers = [lines.hear() for _ in range(40)]  # 20 a second are read, and none is lost
        assert [(it["id"], it["ok"]) for it in answers] == [(n, True) for n in range(40)]
        lines.say([{"do": "legal"}] * 17)
        assert lines.hear()["key"] == "referee.list"
        lines.say("x" * 5000)
        with pytest.raises(ConnectionClosed):
            lines.hear()


@pytest.mark.long
def test_who_has_no_seat_is_told_so_and_who_is_thrown_off_hears_no_more(start: Start) -> None:
    running = start("--game", "knee-deep")
    with running.page() as host:
        with seated(host, invited(host, -1)["link"]) as lines:
            assert lines.ask({"do": "hello", "id": 3})["key"] == "web.watching"
        with seated(host, invited(host, 0)["link"], seat="1") as lines:
            assert lines.ask({"do": "view"})["key"] == "web.not_yours"
        with seated(host, invited(host, 1)["link"]) as lines:
            mine = lines.ask(
                {"do": "view", "seat": 1}, {"do": "position"}, {"do": "view", "seat": 0}
            )
            assert mine[0]["position"] == mine[1]["position"]  # as this seat may know it
            assert (mine[2]["ok"], mine[2]["key"]) == (False, "referee.not_yours")
            people = [it for it in told(host, "you")["people"] if it["seats"] == [1]]
            host.send("dismiss", key=people[0]["id"])
            with pytest.raises(ConnectionClosed) as closed:
                lines.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403
        none = phone.Seat(phone.invitation(invited(host, 0)["link"]).address, "key=none")
        with pytest.raises(InvalidStatus), wire(none):
            pass


@pytest.mark.long
def test_a_move_that_a_hand_makes_under_the_camera_is_answered_once_it_was_seen(
    start: Start,
) -> None:
    """Two requests in a list, and a line after it, wait for it."""
    running = start("--game", "hexalma", "--camera")
    with running.page() as host, seated(host, invited(host, 0)["link"]) as lines:
        host.until(lambda s: s["watched"])
        lines.say([{"do": "act", "action": "b1-c1", "id": 1}, {"do": "state", "id": 2}])
        lines.say({"do": "position", "id": 3})
        first = lines.hear()
        assert [it["id"] for it in first] == [1, 2]
        assert first[0]["events"][0]["key"] == "hexalma.moves"
        assert first[1]["question"].startswith("White")
        assert lines.hear()["id"] == 3


@pytest.mark.long
def test_another_match_is_news_too(start: Start) -> None:
    running = start("--game", "hexalma")
    with running.page() as host, seated(host, invited(host, 0)["link"]) as lines:
        lines.ask({"do": "subscribe", "to": [{"do": "hello"}, {"do": "state"}]})
        host.send("declare", seat=-1, action="resign white")
        news = lines.hear()
        assert (news["answers"][1]["over"], news["answers"][1]["scores"]) == (True, [1, 0])
        host.send("new", game="bad-santa-hex")
        while (news := lines.hear())["answers"][0]["game"] == "hexalma":
            pass
        assert news["answers"][1]["over"] is False
        host.send("new", game="hextraction")
        while (news := lines.hear())["answers"][0]["game"] != "hextraction":
            pass
        roll = next(it for it in lines.ask({"do": "legal"})["legal"] if it.startswith("roll"))
        refused = lines.ask({"do": "act", "action": roll})
        assert (refused["key"], host.state["line"]["n"]) == ("referee.balls", 0)


@pytest.mark.long
def test_a_move_that_was_meant_for_the_match_before_is_not_made(start: Start) -> None:
    running = start("--game", "hexalma")
    move = {"do": "act", "action": "b1-c1"}
    with running.page() as host, seated(host, invited(host, 0)["link"]) as lines:
        before = host.state["match"]
        assert "b1-c1" in lines.ask({"do": "legal"})["legal"]
        host.send("new")
        host.until(lambda s: s["match"] != before)
        refused = lines.ask(move)
        assert (refused["key"], host.state["line"]["n"]) == ("front.before", 0)
        assert lines.ask(move)["ok"]  # now it knows


@pytest.mark.long
def test_what_is_said_while_another_game_begins_is_answered_in_its_order(start: Start) -> None:
    running = start("--game", "hexalma")
    with running.page() as host, seated(host, invited(host, 0)["link"]) as lines:
        host.send("new", game="bad-santa-hex")
        for n in range(40):
            lines.say({"do": "hello", "id": n})
            time.sleep(0.06)  # some come while one game has ended, and the next has not begun
        answers = [lines.hear() for _ in range(40)]
        assert [(it["id"], it["ok"]) for it in answers] == [(n, True) for n in range(40)]
        assert answers[-1]["game"] == "bad-santa-hex"


@pytest.mark.long
def test_the_program_on_the_page_that_needs_no_hexboard_plays_at_the_board(
    start: Start, tmp_path: Path
) -> None:
    running = start("--game", "hexalma")
    with running.page() as host:
        figures = invited(host, 1)["figures"].replace(" ", "")
        text = PAGE.read_text("utf-8")
        (code,) = re.findall(r"```python\n(import json, random, urllib.*?)```", text, re.DOTALL)
        code = code.replace("hexboard.local:8765", f"127.0.0.1:{running.port}")
        (tmp_path / "bot.py").write_text(code.replace("123456", figures), "utf-8")
        process = subprocess.Popen([sys.executable, tmp_path / "bot.py"])
        try:
            assert [seat for seat, _ in plies(host, 2)] == [0, 1, 0, 1]
            host.send("declare", seat=-1, action="resign black")
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
