"""When pages are told: only while somebody looks, and not as often as something changes."""

import json
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection, connect

from hexboard.board import plain
from hexboard.daemon import Run, Sitting, referees
from hexboard.daemon.notices import Notices
from hexboard.daemon.referees import Referees
from hexboard.settings import Settings
from hexboard.web.public import Listener
from hexboard.web.requests import FromPage, Lights
from hexboard.words import Message, message, say
from tests.evening import Evening, begin
from tests.running import PATIENCE, eventually

A_SECOND = 30
"""States at most (docs/contracts.md)."""


def brighten(at: Evening, percent: int) -> None:
    """Change something that pages show, until that is so."""
    at.daemon.mailbox.ask(FromPage("page 0", -1, Lights(percent, False)))
    eventually(lambda: at.daemon._lighting.settings.brightness == percent)


def test_while_nobody_looks_no_state_is_made_and_who_looks_then_sees_what_is_so(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        server = at.daemon.pages.server
        at.page.socket.close()
        eventually(lambda: not server.looking)
        brighten(at, 41)  # what was being made then is made
        made = server.rev
        for percent in (42, 43, 44):
            brighten(at, percent)
        assert server.rev == made
        assert at.look().state["lights"]["brightness"] == 44


def program(at: Evening, state: Path) -> ClientConnection:
    """A program's wire, by the host's key."""
    server, token = at.daemon.pages.server, (state / "token").read_text().strip()
    headers = {
        "Cookie": f"{server.keys.cookie(server.port)}={token}",
        "Origin": f"http://127.0.0.1:{server.port}",
    }
    return connect(f"ws://127.0.0.1:{server.port}/referee", additional_headers=headers)


def test_a_line_too_many_of_those_that_wait_is_refused_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referees, "LINES", 2)
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        wire = stack.enter_context(program(at, tmp_path))
        monkeypatch.setattr(at.daemon.pages, "calling", True)  # people are being seated
        for name in ("a", "b", "c"):
            wire.send(f'{{"do":"state","id":"{name}"}}')
        refused = json.loads(wire.recv(timeout=PATIENCE))
        assert (refused["id"], refused["key"]) == ("c", "web.too_fast")


def test_a_mistake_in_what_a_program_is_told_keeps_nothing_from_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        wire = stack.enter_context(program(at, tmp_path))
        wire.send('{"do":"state"}')
        assert json.loads(wire.recv(timeout=PATIENCE))["key"] == "web.watching"
        monkeypatch.setattr(Referees, "_tell", lambda self, wire: 1 // 0)
        at.act("b1-c1")
        at.page.until(lambda s: s["line"]["n"] == 1)
        at.page.until(lambda s: any("made a mistake" in it for it in s["notices"]))


def test_what_moves_is_encoded_only_while_somebody_looks_and_who_looks_then_sees_it(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        pages = at.daemon.pages
        at.page.socket.close()
        eventually(lambda: not pages.server.looking)
        made = Counter[str]()

        def seen(word: str) -> dict[str, str]:
            made[word] += 1
            return {"type": "pixels", "rgb": word}

        pages._see("pixels", lambda: seen("old"))
        pages._see("pixels", lambda: seen("new"))
        pages.balls([(1, 2.0, 3.0)])
        assert not made
        page = at.look()
        while not (page.heard["pixels"] and page.heard["balls"]):
            page.listen(PATIENCE)
        assert set(made) == {"new"}


def test_who_hears_the_stream_has_no_lights_and_balls_made_for_it(tmp_path: Path) -> None:
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        pages = at.daemon.pages
        at.page.socket.close()
        eventually(lambda: not pages.server.looking)
        told: list[bytes] = []
        pages.server.listen(Listener("house", "en", told.append))
        eventually(lambda: told)
        made: list[str] = []

        def seen() -> dict[str, str]:
            made.append("pixels")
            return {"type": "pixels"}

        pages._see("pixels", seen)
        assert not made
        assert at.look().state["game"] == "hexalma"
        pages._see("pixels", seen)
        assert made


def test_who_begins_to_look_while_something_else_is_found_new_is_shown_what_is_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a turn of the table's thread, where it asks whether the night begins."""
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        pages = at.daemon.pages
        eventually(lambda: not pages.stale)
        made, opened = pages.server.rev, list[bool]()

        def no_night_but_a_page(minute: int | None) -> bool:
            if not opened:
                opened.append(True)
                pages._opened()
            return False

        monkeypatch.setattr(at.daemon._lighting, "tick", no_night_but_a_page)
        at.daemon.mailbox.wake()
        eventually(lambda: pages.server.rev > made)


def test_what_is_newer_comes_last_to_who_begins_to_look_while_it_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        pages = begin(stack, tmp_path, plain("hexhex-5"), "hexalma").daemon.pages
        told = list[bytes]()
        monkeypatch.setattr(pages.server, "publish", lambda kind, data, *_: told.append(data))
        old = [lambda: pages._see("kind", lambda: "new")]  # another thread's, just then

        def moves() -> str:
            while old:
                old.pop()()
            return "old"

        with monkeypatch.context() as nobody:
            nobody.setattr(pages.server.pages, "_pages", {})
            pages._see("kind", moves)
        pages._opened()
        assert [it for it in told if it in (b'"old"', b'"new"')][-1] == b'"new"'


def test_states_are_few_however_much_changes_and_the_last_comes(tmp_path: Path) -> None:
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        begun, made = time.monotonic(), at.daemon.pages.server.rev
        for percent in range(1, 91):
            brighten(at, percent)
        states = at.daemon.pages.server.rev - made
        assert states <= A_SECOND * (time.monotonic() - begun) + 2
        at.page.until(lambda s: s["lights"]["brightness"] == 90)


def test_moves_are_told_of_a_match_that_goes_on_before_a_page_has_looked(tmp_path: Path) -> None:
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        at.act("b1-c2")
    lines: list[str] = []
    sitting = Sitting(
        Run(plain("hexhex-5"), tmp_path, Settings(), "hexalma", {}, port=0), lines.append
    )
    thread = threading.Thread(target=sitting.run)
    thread.start()
    try:
        eventually(lambda: any("Ctrl-C" in line for line in lines))
        assert sitting.daemon is not None
        server = sitting.daemon.pages.server
        eventually(lambda: server.history.moves() == b'[[0,0,"b1-c2"]]')
        assert not server.looking
        assert server.pages.seats == 2  # so that somebody may be invited
    finally:
        sitting.stop()
        thread.join(PATIENCE)


SLOW = message("recording.slow", file="m1.mcap")


class ToldMeanwhile(Notices):
    """Another thread tells one just after somebody has looked whether there is any."""

    waiting: Message | None = None
    _changed = False

    @property
    def changed(self) -> bool:
        before = self._changed
        if (text := self.waiting) is not None:
            self.waiting = None
            self.tell("recording", text)
        return before

    @changed.setter
    def changed(self, changed: bool) -> None:
        self._changed = changed


def test_a_notice_that_another_thread_tells_just_then_is_shown(tmp_path: Path) -> None:
    """The mark that there is one was taken back as soon as it was made, and nobody saw it."""
    with ExitStack() as stack:
        at = begin(stack, tmp_path, plain("hexhex-5"), "hexalma")
        notices = ToldMeanwhile((), lambda: None)
        pages = at.daemon.pages
        pages._notices = notices
        pages._wake()
        eventually(lambda: not (notices._changed or pages.stale))
        notices.waiting = SLOW
        pages._wake()
        at.page.until(lambda state: say(SLOW) in state["notices"])


def test_a_notice_that_another_thread_tells_while_none_is_over_is_shown() -> None:
    notices = ToldMeanwhile((), lambda: None)
    notices.changed = False
    notices.waiting = SLOW
    assert not notices.drop("journal")
    if notices.waiting is not None:  # nobody has looked: it is told then
        notices.tell("recording", SLOW)
    assert notices.changed
