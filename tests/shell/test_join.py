"""Programs that play at a board's table: `hexboard join`, as docs/referee.md says."""

import contextlib
import json
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexboard.commands import bots, guest, phone
from hexboard.words import say
from hexboard.words.errors import BadText
from tests.running import HEXBOARD, PATIENCE, Page, Running, eventually, hexboard
from tests.shell.test_bots import bot, program
from tests.shell.test_phones import invited, told

__all__ = ["bot"]
Start = Callable[..., Running]


@contextlib.contextmanager
def joined(
    link: str, command: str, *more: object, language: str = "en"
) -> Iterator[subprocess.Popen[str]]:
    """`hexboard join`, which has ended by then or is ended."""
    words = [*HEXBOARD, "--language", language, "join", link, "--bot", command, *map(str, more)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Its exit status, and all that it said."""
    said = process.communicate(timeout=PATIENCE)[1]
    assert "Traceback" not in said, said
    return process.returncode, said


def plies(host: Page, count: int) -> list[tuple[int, str]]:
    """Black moves so many times at the board, and a hand there does what is said from afar for
    White; who moved, and what."""
    moved: list[tuple[int, str]] = []
    for _ in range(count):
        now = host.until(lambda s: s["active"] == 0 and s["moves"] and not s["todo"] and s["line"])
        host.send("declare", seat=-1, action=host.state["moves"][0][0])
        host.until(lambda s, n=now["n"]: s["line"]["n"] == n + 2 and s["todo"])  # type: ignore[misc]
        moved += [(seat, text) for _, seat, text in host.state["line"]["last"][-2:]]
        host.rule("right")
    host.until(lambda s: not s["todo"])
    return moved


@pytest.mark.long
def test_a_program_plays_at_the_table_and_is_there_again_after_the_board_was_gone(
    start: Start, bot: str
) -> None:
    begun = "--game", "hexalma", "--takeback", "agreed"
    running = start(*begun)
    with contextlib.ExitStack() as stack:
        host = stack.enter_context(running.page())
        seat = invited(host, 1)
        process = stack.enter_context(joined(f"127.0.0.1:{running.port}", bot, seat["figures"]))
        assert [seat for seat, _ in plies(host, 2)] == [0, 1, 0, 1]
        assert host.state["seats"] == ["Black", "\u2068bot\u2069"]
        host.rule("undo")  # the other seat agrees, and moves again
        asked = host.until(lambda s: s["question"] and s["question"]["of"] == [0] and s["question"])
        host.send("decide", question=asked["id"], choice="yes")
        host.until(lambda s: s["todo"] and not s["question"])
        host.rule("right")
        host.until(lambda s: s["line"]["n"] == 4 and s["todo"])
        host.rule("right")
        host.until(lambda s: not s["todo"])
        running.process.kill()
        running.process.wait()
        again = start(*begun, "--port", running.port)
        host = stack.enter_context(again.page())
        host.until(lambda s: s["resume"])
        host.rule("right")
        host.until(lambda s: not s["resume"])
        assert [seat for seat, _ in plies(host, 2)] == [0, 1, 0, 1]
        host.send("declare", seat=-1, action="resign black")
        host.until(lambda s: s["scores"])
        host.send("new")
        host.until(lambda s: s["scores"] is None)
        assert [seat for seat, _ in plies(host, 1)] == [0, 1]
        host.send("new", game="bad-santa-hex")
        status, said = ended(process)
    assert status == 0, said
    lines = said.splitlines()
    assert lines[0] == f"bot sits down at http://127.0.0.1:{running.port}. Ctrl-C ends it."
    kinds = [line for line in lines[1:] if not line.startswith("White: ")]
    assert kinds == [
        "It plays White in HexAlma.",
        "The board is not heard. Trying again until it is.",
        "The board is heard again.",
        "The game is over: Black 0, White 1",
        "It plays White in HexAlma.",
        "It plays no longer: the board has begun another game than HexAlma.",
    ]
    assert len(lines) - len(kinds) - 1 == 6  # two, one once more, two, one


ASKS = """
hello = say(do="hello")
assert (hello["seat"], hello["game"], hello["options"]["repetition"]["is"]) == (0, "hexalma", "off")
legal = say(do="legal")["legal"]
for asked in (
    dict(do="undo"), dict(do="load", position="x"), dict(do="view", seat=1),
    dict(do="legal", seat=1), dict(do="act", action="resign white"), dict(do="act", action="d5-e5"),
):
    assert not say(**asked)["ok"]
state = say(do="state")
assert (state["seat"], state["over"]) == (0, False)
assert state["question"] == "Black: move one of your discs."
assert say(do="subscribe", to=[dict(do="state")])["ok"]
taken = say(do="act", action="b1-c1", id=7)
assert (taken["id"], taken["events"][0]["key"]) == (7, "hexalma.moves")
while hear()["answers"][0]["seat"] != 0:
    pass  # the disc has still to be moved by a hand, or White's
assert say(do="view", seat=0)["position"] == say(do="position")["position"]
sys.exit(5)
"""


@pytest.mark.long
def test_what_a_program_asks_at_the_table_is_answered_as_at_a_keyboard(
    start: Start, tmp_path: Path
) -> None:
    running = start("--game", "hexalma", "--option", "repetition=off")
    with running.page() as host:
        host.rule("pause")
        host.until(lambda s: s["paused"])
        link = invited(host, 0)["link"]
        with joined(link, program(tmp_path, ASKS), "--name", "Ann", language="de") as process:
            host.until(lambda s: s["people"])
            host.rule("go on")
            host.until(lambda s: s["todo"] and s["active"] == 1)
            host.rule("right")
            host.until(lambda s: not s["todo"])
            host.send("declare", seat=-1, action="h1-g1")
            status, said = ended(process)
    assert status == 1
    assert "\nSchwarz: " in said  # people hear it in their language, the program in English
    assert "(Status 5)" in said
    heard = [json.loads(line) for line in (tmp_path / "heard").read_text("utf-8").splitlines()]
    refused = [it["key"] for it in heard if not it.get("ok", True)]
    mine, there = "referee.not_yours", "referee.not_here"
    assert refused == [there, there, mine, mine, mine, "hexalma.empty"]


@pytest.mark.long
def test_programs_that_do_not_play_leave_their_seat(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = start("--game", "hexalma")
    with running.page() as host:
        wrong = 'for _ in range(100): say(do="act", action="d5-e5")\n'
        garbage = (
            "import os\nos.write(1, b'\\xff\\n')\nfor _ in range(300): os.write(1, b'x' * 10**6)\n"
        )
        garbage += "os.write(1, b'\\n')\n"
        answered = (
            "assert [hear()['key'] for _ in 'ab'] == ['referee.json', 'referee.long']\nsys.exit(9)"
        )
        for code, why in (
            (wrong, "its program was refused 100 moves in a row"),
            (garbage + answered, "its program has ended (status 9)"),
            ("import os, time\nos.close(1)\ntime.sleep(99)\n", "its program has ended (status -9)"),
        ):
            with joined(invited(host, 0)["link"], program(tmp_path, code)) as process:
                status, said = ended(process)
            assert (status, f"Nobody plays this seat now: {why}." in said) == (1, True), said
        for module in (bots, guest):
            monkeypatch.setattr(module, "TURN_S", 1.0)
        asked = phone.invitation(invited(host, 0)["link"])
        line = phone.Phone(phone.take(asked, "Ann"), lambda _: None)
        plays = guest.Guest(line, "sleep 99", lambda _: None)
        line.start()
        ends = contextlib.closing(line), contextlib.closing(plays)
        with ends[0], ends[1], pytest.raises(BadText) as raised:
            plays.play()
        assert say(raised.value.message).startswith(
            "Nobody plays this seat now: its program has not moved for 1 s"
        )
        assert host.state["line"]["n"] == 0


@pytest.mark.long
def test_who_has_no_seat_or_loses_it_is_told_so(start: Start, bot: str) -> None:
    running = start("--game", "hexalma", "--lan")
    at = f"127.0.0.1:{running.port}"

    def said(*given: object) -> tuple[int, str]:
        done = hexboard("join", *given, "--bot", bot)
        return done.returncode, done.stderr.splitlines()[-1]

    with running.page() as host:
        gone = "That invitation has been used, or is not one: ask the host for a new one."
        link = invited(host, 1)["link"]
        with joined(link, bot) as process:
            people: list[Any] = []
            while not people:
                people = told(host, "you")["people"]
            assert (people[0]["name"], people[0]["far"]) == ("bot", True)
            host.until(lambda s: s["seats"][1] == "\u2068bot\u2069")
            assert said(link) == (1, gone)
            host.send("dismiss", key=people[0]["id"])
            status, last = ended(process)
            assert status == 0
            assert last.endswith(
                "It plays no longer: it was thrown off, or somebody else has its seat now.\n"
            )
        assert said(at, "000000")[0] == 1
        figures = invited(host, -1)["figures"]
        assert said(at, figures[:3], figures[3:]) == (
            0,
            "It plays no longer: it has no seat at this board.",
        )
        host.send("new", game="hextraction")
        host.until(lambda s: s["game"] == "hextraction")
        status, last = said(at, invited(host, 0)["figures"])
        assert (status, last.partition(":")[0]) == (1, "Hextraction is played with rolling balls")


def carried_out(host: Page, plays: int) -> None:
    """A hand at the board does what is said from afar, until so much was played."""
    while host.state["line"]["n"] < plays:
        if host.state["todo"]:
            host.rule("right")
        before = host.state["rev"]
        host.until(lambda s, at=before: s["rev"] > at)  # type: ignore[misc]


def seated_as(host: Page) -> str:
    """The key of who has just sat down, as its first guest."""
    people: list[Any] = []
    while not people:
        people = told(host, "you")["people"]
    key: str = people[0]["id"]
    return key


class Guests(threading.Thread):
    """A program that plays over a line of ours, until it is thrown off."""

    def __init__(self, link: str, command: str, line: type[phone.Phone]) -> None:
        super().__init__(daemon=True)
        self.line = line(phone.take(phone.invitation(link), "Ann"), lambda _: None)
        self.guest = guest.Guest(self.line, command, lambda _: None)

    def run(self) -> None:
        ends = contextlib.closing(self.line), contextlib.closing(self.guest)
        with ends[0], ends[1], contextlib.suppress(guest.Leaves):
            self.guest.play()

    def dismissed(self, host: Page, key: str) -> bool:
        """Whether it ends once its key is thrown off."""
        host.send("dismiss", key=key)
        self.join(PATIENCE)
        return not self.is_alive()


@pytest.mark.long
def test_a_program_plays_both_seats_of_one_phone_with_hidden_cards(start: Start, bot: str) -> None:
    """Such a phone begins with its curtain closed."""
    running = start("--game", "knee-deep")
    with running.page() as host:
        plays = Guests(invited(host, 0)["link"], bot, phone.Phone)
        key = seated_as(host)
        host.send("give", key=key, seat=1)
        plays.line.start()
        plays.start()
        carried_out(host, 6)
        assert plays.dismissed(host, key)


class Cut(phone.Phone):
    """Its line is cut just as it agrees to something for the first time."""

    cuts = 1

    def say(self, kind: str, **fields: object) -> None:
        if kind == "decide" and self.cuts and self._socket is not None:
            self.cuts -= 1
            self._socket.socket.shutdown(socket.SHUT_RDWR)
        super().say(kind, **fields)


@pytest.mark.long
def test_what_a_program_agrees_to_is_said_again_over_a_new_line(
    start: Start, bot: str, tmp_path: Path
) -> None:
    running = start("--game", "hexalma", "--takeback", "agreed")
    with running.page() as host:
        plays = Guests(invited(host, 1)["link"], bot, Cut)
        key = seated_as(host)
        plays.line.start()
        plays.start()
        plies(host, 1)
        host.rule("undo")
        asked = host.until(lambda s: s["question"] and s["question"]["of"] != [1] and s["question"])
        host.send("decide", question=asked["id"], choice="yes")
        host.until(lambda s: s["todo"] and not s["question"])
        assert plays.line.cuts == 0  # type: ignore[attr-defined]
        assert plays.dismissed(host, key)


class Idle(guest.SeatProgram):
    """A program that says nothing."""

    def __init__(self, command: str, there: phone.Seat, number: int) -> None:
        super().__init__("sleep 99", there, number)


class Breaking(phone.Wire):
    """It breaks once, just as a move was taken."""

    breaks = 1

    def ask(self, line: bytes, meanwhile: Callable[[], object]) -> Any:
        told = super().ask(line, meanwhile)
        if b"act" in line and self.breaks:
            self.breaks -= 1
            raise EOFError
        return told


@pytest.mark.long
def test_a_move_in_a_list_that_the_table_took_as_the_wire_broke_is_told_as_made(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "Wire", Breaking)
    running = start("--game", "hexalma")
    code = 'print(\'[{"do":"act","action":"b1-c1","id":5},{"do":"state","id":6}]\', flush=True)\n'
    with running.page() as host:
        command = program(tmp_path, f"import time\n{code}hear()\ntime.sleep(99)\n")
        plays = Guests(invited(host, 0)["link"], command, phone.Phone)
        key = seated_as(host)
        plays.line.start()
        plays.start()
        host.until(lambda s: s["todo"] and s["line"]["n"] == 1)
        heard = eventually(lambda: (tmp_path / "heard").read_text("utf-8"))
        assert plays.dismissed(host, key)
    first, second = json.loads(heard)
    assert first == {"id": 5, "ok": True, "events": []}
    assert (second["id"], second["ok"], second["over"]) == (6, True, False)


@pytest.mark.long
def test_a_move_that_is_said_again_is_not_made_in_the_next_match(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = threading.Event()

    class Paused(phone.Wire):
        """Somebody begins a pause just as a move is said."""

        def ask(self, line: bytes, meanwhile: Callable[[], object]) -> Any:
            if b"act" in line and not refused.is_set():
                host.rule("pause")
                host.until(lambda s: s["paused"])
            told = super().ask(line, meanwhile)
            if b"act" in line:
                refused.set()
            return told

    monkeypatch.setattr(guest, "Wire", Paused)
    running = start("--game", "hexalma")
    command = program(tmp_path, "import time\nsay(do='act', action='b1-c1')\ntime.sleep(99)\n")
    with running.page() as host:
        plays = Guests(invited(host, 0)["link"], command, phone.Phone)
        key = seated_as(host)
        plays.line.start()
        plays.start()
        assert refused.wait(PATIENCE)
        monkeypatch.setattr(guest, "SeatProgram", Idle)  # in the next match nobody plays
        before = host.state["match"]
        host.send("new")
        host.until(lambda s: s["match"] != before and not s["paused"])
        heard = eventually(lambda: (tmp_path / "heard").read_text("utf-8"))
        assert json.loads(heard)["key"] == "table.in_pause"
        assert plays.dismissed(host, key)
        assert host.state["line"]["n"] == 0


@pytest.mark.long
def test_two_programs_play_with_hidden_cards_and_ctrl_c_ends_them(start: Start, bot: str) -> None:
    running = start("--game", "knee-deep")
    with running.page() as host, contextlib.ExitStack() as stack:
        both = [stack.enter_context(joined(invited(host, seat)["link"], bot)) for seat in (0, 1)]
        carried_out(host, 12)
        for process in both:
            process.send_signal(signal.SIGINT)
            assert ended(process)[0] == 130


@pytest.mark.parametrize(
    ("link", "figures", "says"),
    [
        ("http://10.0.0.5:8765/join#secret", "", "http://10.0.0.5:8765 / secret"),
        ("https://home.example/hex/join#secret", "", "https://home.example /hex/ secret"),
        ("hexboard.local", "123 456", "http://hexboard.local:8765 / 123456"),
        ("http://hexboard.local", "123456", "http://hexboard.local / 123456"),
        ("[fe80::1]:9000", "123456", "http://[fe80::1]:9000 / 123456"),
        ("hexboard.local:8765", "", "An address alone is no invitation"),
        ("hexboard.local:8765", "12345", "An address alone is no invitation"),
        ("http://10.0.0.5:8765/?token=secret", "", "This link is the host's own"),
        ("ftp://10.0.0.5/join#secret", "", "is no invitation"),
        ("http://10.0.0.5:99999/join#secret", "", "is no invitation"),
        ("http:///join#secret", "", "is no invitation"),
    ],
)
def test_an_invitation_is_a_link_or_an_address_and_six_figures(
    link: str, figures: str, says: str
) -> None:
    try:
        asked = phone.invitation(link, figures)
        found = f"{asked.address.origin} {asked.address.path} {asked.code}"
    except BadText as error:
        found = str(error)
    assert says in found


@pytest.mark.long
def test_where_no_board_is_or_no_program_nothing_is_taken() -> None:
    for given, says in (
        (
            ("127.0.0.1:1", "123456", "--bot", "python3 x.py"),
            "No board is heard at http://127.0.0.1:1 (",
        ),
        (
            ("127.0.0.1:1", "123456", "--bot", "no-such-program"),
            "The program cannot be started: no-such",
        ),
        (("127.0.0.1:1", "123456", "--bot", "'"), "The program cannot be started: '"),
    ):
        done = hexboard("join", *given)
        assert (done.returncode, says in done.stderr) == (1, True), done.stderr


@pytest.mark.long
def test_a_program_plays_with_a_deck_that_its_own_computer_has_not(
    start: Start, bot: str, tmp_path: Path
) -> None:
    """The rules, and what they are played with, are the board's."""
    deck = tmp_path / "mine.toml"
    head = 'schema = "hexboard/deck-1"\nname = "My cards"\nsize = 30\n[cards]\n'
    deck.write_text(head + "RRRRRR = 20\nBBBBBB = 10\n", "utf-8")
    running = start("--game", "hexel", "--option", f"deck={deck}", "--option", "hands=dealt")
    deck.unlink()
    with running.page() as host, joined(invited(host, 0)["link"], bot) as process:
        host.until(lambda s: any(seat == 0 for _, seat, _ in s["line"]["last"]))
        process.send_signal(signal.SIGINT)
        status, said = ended(process)
        assert (status, "It plays Player 1 in Hex'el." in said) == (130, True), said
