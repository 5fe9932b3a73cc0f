"""A hall: boards tell a real NATS server what stands, and the wall shows it."""

import asyncio
import calendar
import json
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import to_builtins
from nats.js.api import StreamConfig
from nats.js.errors import BadRequestError, NotFoundError

from hexboard.commands.hub import config as configuring
from hexboard.commands.hub.config import configure
from hexboard.daemon.away import away
from hexboard.daemon.hall import Hub, compared
from hexboard.daemon.hall import hub as hubs
from hexboard.daemon.hall import wall as walls_
from hexboard.daemon.hall.desk import HallDesk
from hexboard.daemon.hall.starting import start_on
from hexboard.daemon.hall.wall import HallWall
from hexboard.daemon.hall.wire import run, streams
from hexboard.facts import Start
from hexboard.record.hall_journal import NAME, HallOver
from hexboard.settings import HubSettings, load
from hexboard.web.keys import Keys
from hexboard.web.requests import New
from hexboard.web.wall import WallServer
from hexboard.words import Message, message, say
from hexboard.words.errors import BadFile, BadText, HexboardError
from tests.certificates import certificate
from tests.daemon.test_mqtt import STATE, shown
from tests.hall import Nats
from tests.record.test_hall_journal import links, moves
from tests.running import eventually
from tests.web.test_server import Site

if TYPE_CHECKING:
    from nats.js import JetStreamContext


DOCS = Path(__file__).parents[2] / "docs" / "hall.md"


def match(name: str) -> Start:
    return Start(name, "hexhex-5", "00", "hexalma", "hexalma 1", {}, "test")


@pytest.fixture
def nats(tmp_path: Path, stack: ExitStack) -> Nats:
    server = Nats(tmp_path)
    stack.callback(server.kill)
    return server


Begin = Callable[..., Hub]


@pytest.fixture
def begin(site: Site, nats: Nats, stack: ExitStack, tmp_path: Path) -> Begin:
    """`begin("one")`: a board tells the hall; `said` has what people are told."""

    def beginning(name: str, said: list[str] | None = None, folder: str = "", **more: Any) -> Hub:
        state = tmp_path / (folder or name)
        state.mkdir(exist_ok=True)
        told: list[str] = [] if said is None else said
        settings = HubSettings(**{"url": nats.url, "name": name} | more)
        hub = Hub(settings, "hexhex-5", "My board", state, site.server, told.append)
        stack.callback(hub.close)
        return hub

    return beginning


def played(nats: Nats, name: str) -> list[str]:
    """The moves that the hall has of a board, in the stream's order."""
    mine = [json.loads(text) for at, _, text in nats.told() if at == f"hexboard.told.{name}"]
    return [it["entry"]["action"] for it in mine if it["type"] == "entry"]


class Blind:
    """A stream that is there is not, the first time that one asks for it."""

    def __init__(self, js: "JetStreamContext") -> None:
        self._js, self.asked = js, set[str]()
        self.add_stream = js.add_stream

    def jetstream(self, **_: Any) -> "Blind":
        return self

    async def stream_info(self, name: str) -> object:
        if name in self.asked:
            return await self._js.stream_info(name)
        self.asked.add(name)
        raise NotFoundError


def test_a_stream_that_another_board_makes_meanwhile_is_theirs_too(nats: Nats) -> None:
    nats.start()

    async def found(js: "JetStreamContext") -> object:
        await js.add_stream(StreamConfig("HEXBOARD", subjects=["hexboard.told.*"], max_msgs=100))
        blind: Any = Blind(js)
        assert await streams(blind) is blind
        return (await js.stream_info("HEXBOARD")).config.max_msgs

    assert nats.ask(found) == 100


def test_a_stream_of_others_that_has_our_subjects_is_said(nats: Nats) -> None:
    nats.start()

    async def theirs(js: "JetStreamContext") -> None:
        await js.add_stream(StreamConfig("THEIRS", subjects=["hexboard.>"]))
        blind: Any = Blind(js)
        with pytest.raises(BadRequestError, match="subjects overlap"):
            await streams(blind)

    nats.ask(theirs)


# ------------------------------------------------------------------------------- what is told


def test_what_stands_is_told_in_order_with_its_link_and_nothing_secret(
    site: Site, nats: Nats, begin: Begin
) -> None:
    nats.start()
    hub = begin("one")
    shown(site)  # with a hand that nobody else may see
    hub.journal.begin(match("m1"), moves("a1"))
    hub.journal.add(moves("b2", "c3"), 1)
    eventually(lambda: played(nats, "one") == ["a1", "b2", "c3"])
    texts = [text for _, _, text in nats.told()]
    assert [link for _, link, _ in nats.told()] == links(texts)
    [(at, _, text)] = eventually(lambda: nats.told("HEXBOARD_NOW"))
    assert at == "hexboard.now.one"
    told = json.loads(text)
    assert told["version"] == 1
    assert told["title"] == "My board"
    assert told["state"]["prompt"] == STATE["prompt"]
    assert "the ace" not in str([nats.told(), nats.told("HEXBOARD_NOW")])


def test_a_board_that_is_started_again_goes_on_where_the_stream_ends(
    nats: Nats, begin: Begin
) -> None:
    nats.start()
    first = begin("one")
    first.journal.begin(match("m1"), moves("a1", "b2"))
    eventually(lambda: played(nats, "one") == ["a1", "b2"])
    first.close()
    second = begin("one")
    second.journal.begin(match("m1"), moves("a1", "b2", "c3"))
    eventually(lambda: played(nats, "one") == ["a1", "b2", "c3"])


@pytest.mark.long
def test_a_hall_that_is_away_is_said_once_and_hears_all_of_it_later(
    nats: Nats, begin: Begin
) -> None:
    said: list[str] = []
    hub = begin("one", said)
    hub.journal.begin(match("m1"), moves("a1"))
    eventually(lambda: said)
    hub.journal.add(moves("b2"), 1)
    assert hub.notice is not None
    nats.start()
    eventually(lambda: played(nats, "one") == ["a1", "b2"])
    eventually(lambda: hub.notice is None)
    [told] = said
    assert told.startswith(f"The hall's NATS at {nats.url} is not there (")
    assert told.endswith("). It is tried again; the game goes on, and the hall hears of it later.")


def test_what_waited_as_one_hexboard_ended_is_told_by_the_next(nats: Nats, begin: Begin) -> None:
    first = begin("one")
    first.journal.begin(match("m1"), moves("a1", "b2"))
    first.close()
    nats.start()
    begin("one").journal.begin(match("m1"), moves("a1", "b2"))
    eventually(lambda: played(nats, "one") == ["a1", "b2"])


@pytest.mark.long
def test_a_server_that_is_killed_and_back_has_all_of_it_once(nats: Nats, begin: Begin) -> None:
    nats.start()
    hub = begin("one")
    hub.journal.begin(match("m1"), moves("a1"))
    eventually(lambda: played(nats, "one") == ["a1"])
    nats.kill()
    hub.journal.add(moves("b2", "c3"), 1)
    nats.start()
    hub.journal.add(moves("d4"), 3)
    eventually(lambda: played(nats, "one") == ["a1", "b2", "c3", "d4"])


@pytest.mark.long
def test_a_stream_that_is_full_is_said_and_hears_the_rest_once_it_has_room(
    nats: Nats, begin: Begin
) -> None:
    nats.start()

    async def limited(js: "JetStreamContext", most: int, made: bool) -> None:
        config = StreamConfig("HEXBOARD", subjects=["hexboard.told.*"], max_msgs=most)
        config.discard = "new"  # type: ignore[assignment]
        await (js.update_stream if made else js.add_stream)(config)

    nats.ask(lambda js: limited(js, 2, made=False))
    said: list[str] = []
    hub = begin("one", said)
    hub.journal.begin(match("m1"), moves("a1", "b2", "c3"))
    eventually(lambda: said)
    assert said[0].startswith("The hall does not take what this board tells it (maximum messages")
    assert played(nats, "one") == ["a1"]
    nats.ask(lambda js: limited(js, 100, made=True))
    eventually(lambda: played(nats, "one") == ["a1", "b2", "c3"])


def test_a_board_with_anothers_name_is_said_and_tells_nothing(nats: Nats, begin: Begin) -> None:
    nats.start()
    begin("one").journal.begin(match("m1"), moves("a1"))
    eventually(lambda: played(nats, "one") == ["a1"])
    said: list[str] = []
    other = begin("one", said, folder="another")
    other.journal.begin(match("m2"), moves("z9"))
    eventually(lambda: said)
    assert said == [
        "The hall has another board's matches under the name one, or this board was restored "
        "from a copy that lacks what it told since: give this one another name "
        "under [hub] in settings.toml. The game goes on without."
    ]
    assert played(nats, "one") == ["a1"]


@pytest.mark.long
def test_a_stream_that_was_emptied_is_told_all_again(
    nats: Nats, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "CHECK_S", 0.2)
    nats.start()
    said: list[str] = []
    hub = begin("one", said)
    hub.journal.begin(match("m1"), moves("a1", "b2"))
    eventually(lambda: played(nats, "one") == ["a1", "b2"])

    async def replaced(js: "JetStreamContext") -> None:
        await js.delete_stream("HEXBOARD")
        await js.add_stream(StreamConfig("HEXBOARD", subjects=["hexboard.told.*"]))

    nats.ask(replaced)
    eventually(lambda: played(nats, "one") == ["a1", "b2"])
    eventually(lambda: hub.notice is None)
    assert said[0] == (
        "The hall has lost what it took: of 3 things it has 0. It is told the rest again."
    )


def test_a_server_that_talks_nonsense_is_said_and_holds_nobody_up(
    begin: Begin, stack: ExitStack
) -> None:
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

    def talk() -> None:
        with suppress(OSError):
            while True:
                wire = listener.accept()[0]
                wire.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n\0\xff{}")
                wire.close()

    Thread(target=talk, daemon=True).start()
    said: list[str] = []
    hub = begin("one", said, url=f"nats://127.0.0.1:{listener.getsockname()[1]}")
    eventually(lambda: said)
    hub.journal.begin(match("m1"), moves("a1"))
    assert hub.journal.last() == 2
    listener.close()


LIE = (
    b'INFO {"server_id":"x","version":"2.9.0","max_payload":1048576,"headers":true,'
    b'"jetstream":true,"proto":1}\r\n'
)


def test_a_server_that_takes_everything_and_keeps_nothing_is_said(
    begin: Begin, stack: ExitStack
) -> None:
    """It answers every request with an empty object."""
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

    def lie(wire: socket.socket) -> None:
        with suppress(OSError), wire, wire.makefile("rb") as lines:
            wire.sendall(LIE)
            for line in lines:
                word, *rest = line.split()
                if word == b"PING":
                    wire.sendall(b"PONG\r\n")
                elif word in (b"PUB", b"HPUB"):
                    lines.read(int(rest[-1]) + 2)
                    wire.sendall(b"MSG %s 1 2\r\n{}\r\n" % rest[1])

    def lies() -> None:
        with suppress(OSError):
            while True:
                Thread(target=lie, args=(listener.accept()[0],), daemon=True).start()

    Thread(target=lies, daemon=True).start()
    said: list[str] = []
    hub = begin("one", said, url=f"nats://127.0.0.1:{listener.getsockname()[1]}")
    hub.journal.begin(match("m1"), moves("a1"))
    eventually(lambda: said)
    assert "Traceback" not in said[0]
    listener.close()


def of_docs(after: str, meant: dict[str, str]) -> str:
    """The first program after these words, for what is `meant` instead of what it names."""
    text = DOCS.read_text("utf-8")
    first = text.index("    import asyncio", text.index(after))
    lines = text[first : text.index("    END\n", first)].splitlines()
    program = "\n".join(line.removeprefix("    ") for line in lines)
    for said, instead in meant.items():
        assert program.count(said) == 1
        program = program.replace(said, instead)
    return program


def test_anybody_checks_the_chain_with_the_lines_of_the_docs(nats: Nats, begin: Begin) -> None:
    program = of_docs(
        "## What is told", {"hall.local:4222": nats.url[7:], "told.board-1": "told.one"}
    )
    nats.start()
    begin("one").journal.begin(match("m1"), moves("a1", "b2"))
    eventually(lambda: played(nats, "one") == ["a1", "b2"])
    asked = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert asked.stdout is not None
    told = [asked.stdout.readline().partition(" ") for _ in range(3)]
    asked.kill()
    asked.communicate()
    assert [right for right, _, _ in told] == ["True"] * 3
    assert [json.loads(text)["n"] for _, _, text in told] == [1, 2, 3]


def test_a_board_under_another_name_tells_all_of_it_at_once_and_a_result_counts_once(
    nats: Nats, begin: Begin, watch: Callable[[], "Watched"]
) -> None:
    """The server takes no message twice in two minutes, and took the name's for the other's."""
    nats.start()
    hub = begin("one")
    hub.journal.begin(match("m1"), moves("a1"))
    hub.journal.end(["Anna", "Ben"], (1, 0), "Anna wins.")
    wall = watch()
    eventually(lambda: wall.board("one").get("told") == 3)
    hub.close()
    said: list[str] = []
    renamed = begin("two", said, folder="one")
    eventually(lambda: wall.board("two").get("told") == 3)
    assert (said, wall.board("two")["torn"]) == ([], False)
    renamed.journal.begin(match("m2"), moves("b2"))
    renamed.journal.end(["Anna", "Ben"], (1, 0), "Anna wins.")
    results = eventually(lambda: len(it := wall.kind("results")["results"]) > 1 and it)
    assert sorted((it["board"], it["match"]) for it in results) == [("one", "m1"), ("two", "m2")]


@pytest.mark.long
def test_a_name_goes_off_the_wall_by_the_lines_of_the_docs(
    nats: Nats, begin: Begin, watch: Callable[[], "Watched"], site: Site
) -> None:
    nats.start()
    hubs_ = [begin("one"), begin("two")]
    shown(site)
    for hub in hubs_:
        hub.journal.begin(match(f"{hub.name}'s"), moves("a1"))
    eventually(
        lambda: {board.partition("told.")[2] for board, _, _ in nats.told()} == {"one", "two"}
    )
    hubs_[0].close()
    meant = {"hall.local:4222": nats.url[7:], "{what}.board-1": "{what}.one"}
    subprocess.run([sys.executable, "-c", of_docs("**To take a name off", meant)], check=True)
    wall = watch()
    eventually(lambda: wall.board("two").get("told") == 2 and wall.board("two").get("title"))
    assert (wall.board("one"), nats.told()[0][0]) == ({}, "hexboard.told.two")


# ------------------------------------------------------------------------------- keys and TLS


@pytest.mark.parametrize(
    ("which", "text", "why"),
    [
        ("key", None, "No such file or directory"),
        ("key", "my cat", "nkeys: invalid seed"),
        ("ca", None, "No such file or directory"),
        ("ca", "my cat", "[X509: NO_CERTIFICATE_OR_CRL_FOUND] no certificate"),
    ],
)
def test_a_file_of_the_hub_that_cannot_be_used_is_told_as_that(
    begin: Begin, tmp_path: Path, which: str, text: str | None, why: str
) -> None:
    """Not as a server that is not there."""
    said: list[str] = []
    file = tmp_path / "mine"
    if text is not None:
        file.write_text(text, "utf-8")
    hub = begin("one", said, **{which: str(file)})
    eventually(lambda: said)
    assert hub.notice is not None
    assert said[0].startswith(f"The file that [hub] {which} names cannot be used: {file} ({why}")


@pytest.mark.long
def test_each_board_tells_with_its_key_over_tls_and_none_in_anothers_name(
    site: Site, tmp_path: Path, begin: Begin, stack: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    hall = tmp_path / "hall"
    server = Nats(tmp_path, hall / "nats-server.conf")
    url, names, _ = configure(hall, ["one"], server.port)
    assert url.endswith(f":{server.port}")
    configure(hall, ["two"], server.port)
    assert {path.stat().st_mode & 0o77 for path in (hall, *hall.glob("*.nk"))} == {0}
    stack.enter_context(server)
    of = load(hall / "settings.toml").hub
    here = {"url": of.url, "ca": of.ca}
    asks: dict[str, Any] = {"nkeys_seed": of.key, "tls": ssl.create_default_context(cafile=of.ca)}
    server.url = of.url
    wall = WallServer(0, Keys("correct-horse-battery-staple"))
    reader = HallWall(of, wall)

    async def made() -> None:  # the hub makes the streams: boards may not
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await reader.run()

    asyncio.run(made())
    one = begin("one", key=str(hall / "one.nk"), **here)
    one.journal.begin(match("m1"), moves("a1"))
    eventually(lambda: len(server.told(**asks)) == 2, 0.2)
    one.close()
    assert caplog.text == ""  # Python's own warning of TLS
    said: list[str] = []
    liar = begin("two", said, key=str(hall / "one.nk"), **here)
    liar.journal.begin(match("m2"), moves("z9"))
    eventually(lambda: said)
    assert said[0].startswith("The hall does not take what this board tells it (")
    assert "violation" in said[0].lower()
    begin("two", folder="right", key=str(hall / "two.nk"), **here).journal.begin(match("m3"), [])
    eventually(lambda: len(server.told(**asks)) == 3, 0.2)
    assert "z9" not in str(server.told(**asks))
    begin("two", folder="right", key=str(hall / "two.nk"), starts=True, **here)
    shown(site)
    with pytest.raises(HexboardError, match="one does not answer"):
        start_on(of, "one", "hexalma", {}, ())

    def answered() -> str:
        with suppress(HexboardError):
            return start_on(of, "two", "no-such-game", {}, ())
        return ""

    assert eventually(answered).startswith("There is no game")
    assert names == ["one"]
    strangers: list[str] = []
    begin("three", strangers, url=of.url, ca=of.ca)
    eventually(lambda: strangers)
    assert "uthorization" in strangers[0]
    unsure: list[str] = []
    begin("four", unsure, url=of.url, key=str(hall / "one.nk"))
    eventually(lambda: unsure)
    assert "trusts nobody who has signed its certificate" in unsure[0]


def test_a_wish_is_not_answered_with_the_late_refusal_of_the_one_before(
    site: Site, nats: Nats, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is what it asks for begun on top of what the one before has begun meanwhile."""
    monkeypatch.setattr(hubs, "BEGINS_S", 0.5)
    nats.start()
    begin("one", starts=True)
    shown(site, begun=False)
    answers: list[str] = []

    def wish() -> bool:
        with suppress(HexboardError):  # it does not listen yet
            answers.append(start_on(HubSettings(url=nats.url), "one", "hexalma", {}, ()))
        return bool(answers)

    eventually(wish)
    second = Thread(target=wish)
    second.start()
    eventually(lambda: len(site.taken) == 2)
    site.server.answer(site.taken[0].source, message("front.not_saved"))
    second.join()
    assert [it.partition(",")[0] for it in answers] == ["Nothing has begun there yet"] * 2
    assert [it.asked.match for it in site.taken if isinstance(it.asked, New)] == ["m", "m"]


NATS_OF_BEFORE = """\
# Written by `hexboard hub --config`; say it again to name more boards.
listen: "0.0.0.0:4222"
max_payload: 1MB
"""


def test_what_people_wrote_into_a_halls_files_stays_as_boards_are_added(tmp_path: Path) -> None:
    configure(tmp_path, ["one"], 4222)
    own = {"nats-server.conf": "max_connections: 50\n", "settings.toml": "[web]\nport = 9000\n"}
    for name, more in own.items():
        with open(tmp_path / name, "a", encoding="utf-8") as file:
            file.write(more)
    _, names, notes = configure(tmp_path, ["two"], 4222)
    assert (names, notes) == (["one", "two"], [])
    for name, more in own.items():
        assert (tmp_path / name).read_text("utf-8").endswith(more)
    rights = (tmp_path / "hall.conf").read_text("utf-8")
    assert '"hexboard.told.one"' in rights
    assert '"hexboard.told.two"' in rights


def test_a_configuration_of_before_is_laid_aside_and_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "nats-server.conf"
    file.write_text(f"{NATS_OF_BEFORE}max_connections: 50\n", "utf-8")
    _, _, [note] = configure(tmp_path, ["one"], 4222)
    [aside] = tmp_path.glob("nats-server.conf.*")
    assert (str(note.key), dict(note.values)["aside"]) == ("hub.laid_aside", str(aside))
    assert "max_connections: 50" in aside.read_text("utf-8")
    assert 'include "hall.conf"' in file.read_text("utf-8")


def shake_hands(hall: Path, pem: Path, host: str) -> None:
    """A board that trusts `pem` and the server, whose name is this host."""
    ours, theirs = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(hall / "server.pem", hall / "server.key")
    board = ssl.create_default_context(cafile=pem).wrap_bio(ours, theirs, server_hostname=host)
    wall = server.wrap_bio(theirs, ours, server_side=True)
    for _ in range(4):
        for it in (board, wall):
            with suppress(ssl.SSLWantReadError):
                it.do_handshake()


def presents(hall: Path, pem: Path, host: str) -> str:
    """What a board that trusts `pem` says of the server's certificate, whose name is this host: ""
    where it is right."""
    try:
        shake_hands(hall, pem, host)
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    return ""


@pytest.mark.long
def test_a_hall_that_moves_is_trusted_under_its_new_name_by_the_boards_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder goes to another computer, of another name and address."""
    old, new = tmp_path / "old", tmp_path / "new"
    monkeypatch.setattr(configuring, "known_as", lambda: ("hall", "10.0.0.7"))
    url, _, notes = configure(old, ["one"], 4222)
    assert (url, notes) == ("tls://hall.local:4222", [])
    pem = tmp_path / "board.pem"
    pem.write_bytes((old / "hall.pem").read_bytes())
    for host in ("hall.local", "hall", "10.0.0.7", "127.0.0.1", "localhost"):
        assert presents(old, pem, host) == ""
    assert "desk.local" in presents(old, pem, "desk.local")
    served = (old / "server.pem").read_bytes()
    assert configure(old, [], 4222)[2] == []
    assert (old / "server.pem").read_bytes() == served
    with open(old / "settings.toml", "a", encoding="utf-8") as file:
        file.write("[web]\nport = 9000\n")
    old.rename(new)
    monkeypatch.setattr(configuring, "known_as", lambda: ("desk", "10.0.0.9"))
    url, names, [note] = configure(new, [], 4222)
    assert (url, names, note.key) == ("tls://desk.local:4222", ["one"], "hub.certified")
    for host in ("desk.local", "10.0.0.9", "127.0.0.1"):
        assert presents(new, pem, host) == ""
    assert "hall.local" in presents(new, pem, "hall.local")
    of = load(new / "settings.toml")
    assert (of.hub.key, of.hub.ca) == (str(new / "hub.nk"), str(new / "hall.pem"))
    assert of.web.port == 9000
    assert str(old) not in (new / "hall.conf").read_text("utf-8")
    monkeypatch.setattr(configuring, "known_as", lambda: ("desk", "10.0.0.11"))
    assert configure(new, [], 4222)[2]  # the router gave it another address
    assert presents(new, pem, "10.0.0.11") == ""
    monkeypatch.setattr(configuring, "known_as", lambda: ("4th-desk", "10.0.0.12"))
    assert configure(new, [], 4222)[2]  # a name that begins with a figure is no address
    assert presents(new, pem, "4th-desk.local") == ""


def test_what_openssl_says_of_a_damaged_certificate_is_told_and_not_that_it_is_missing(
    tmp_path: Path,
) -> None:
    configure(tmp_path, ["one"], 4222)
    (tmp_path / "hall.pem").write_text("torn")
    with pytest.raises(HexboardError) as refused:
        configure(tmp_path, ["one"], 4222)
    assert "certificate. Where the file is damaged" in str(refused.value)  # openssl's own last word
    assert "apt install" not in str(refused.value)


def test_a_certificate_of_before_vouches_for_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards have a hall.pem that was the server's own, signed by itself, as it was made then."""
    monkeypatch.setattr(configuring, "known_as", lambda: ("hall", "10.0.0.7"))
    who = ("-subj", "/CN=hall", "-addext", "subjectAltName=DNS:hall.local", "-days", "3650")
    pem, _ = certificate(tmp_path, "hall", *who)
    before = pem.read_bytes()
    configure(tmp_path, ["one"], 4222)
    assert (tmp_path / "hall.pem").read_bytes() == before
    assert presents(tmp_path, tmp_path / "hall.pem", "hall.local") == ""


def test_somebodys_own_certificate_is_the_servers_and_it_is_said_where_it_fits_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain.conf"
    plain.write_text("[req]\ndistinguished_name = none\n[none]\n", "ascii")
    who = ("-subj", "/CN=hall.local", "-addext", "basicConstraints=critical,CA:FALSE")
    certificate(tmp_path, "hall", "-config", str(plain), *who)
    for name, keys in (("hall", []), ("desk", ["hub.unfit"])):
        monkeypatch.setattr(configuring, "known_as", lambda name=name: (name, ""))
        assert [it.key for it in configure(tmp_path, ["one"], 4222)[2]] == keys
    later = time.time() + 86_400 * 366
    monkeypatch.setattr(time, "time", lambda: later)
    assert configure(tmp_path, ["one"], 4222)[2][-1].key == "hub.own_untimely"
    assert str(tmp_path / "hall.key") in (tmp_path / "hall.conf").read_text("utf-8")


def test_a_server_of_names_that_hears_nothing_keeps_nobody_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A resolver asks it for 20 s, while asyncio waits for that after its timeout."""
    ended = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: ended.wait(20) and [])
    began = time.monotonic()

    async def asked() -> None:
        async with asyncio.timeout(0.05):
            await asyncio.open_connection("hall.local", 4222)

    with pytest.raises(TimeoutError):
        run(asked())
    assert time.monotonic() - began < 5
    ended.set()


def test_a_halls_certificates_count_by_any_clock(tmp_path: Path) -> None:
    """A Pi has no clock of its own: an hour behind, and it refused a hall for ever. By openssl, as
    strictly as Python 3.13 asks."""
    configure(tmp_path, ["one"], 4222)
    for year in (2001, 2026, 2500):
        when = str(calendar.timegm((year, 6, 1, 0, 0, 0)))
        how = ("-x509_strict", "-attime", when, "-purpose", "sslserver")
        files = ("-CAfile", tmp_path / "hall.pem", tmp_path / "server.pem")
        subprocess.run(["openssl", "verify", *how, *files], capture_output=True, check=True)


@pytest.mark.parametrize(("years", "keys"), [(11, ["hub.untimely"]), (-1, [])])
def test_a_hall_of_before_whose_certificate_has_ended_gets_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, years: int, keys: list[str]
) -> None:
    """Not by a clock that is behind, which it has by itself."""
    monkeypatch.setattr(configuring, "known_as", lambda: ("hall", "10.0.0.7"))
    certificate(tmp_path, "hall", "-days", "3650")
    assert configure(tmp_path, ["one"], 4222)[2] == []
    dead, now = (tmp_path / "hall.pem").read_bytes(), time.time() + years * 365.25 * 86_400
    with monkeypatch.context() as later:
        later.setattr(time, "time", lambda: now)
        assert [it.key for it in configure(tmp_path, ["one"], 4222)[2]] == keys
    assert ((tmp_path / "hall.pem").read_bytes() != dead) == bool(keys)
    assert [it.read_bytes() for it in tmp_path.glob("hall.pem.before-*")] == [dead] * len(keys)
    assert presents(tmp_path, tmp_path / "hall.pem", "hall.local") == ""
    assert configure(tmp_path, ["one"], 4222)[2] == []


@pytest.mark.parametrize(
    ("begins", "ends", "why"),
    [
        ("30000101000000Z", "99991231235959Z", "its certificate does not count yet. Set that "),
        ("20000101000000Z", "20010101000000Z", "its certificate has ended. Set that clock if "),
    ],
)
def test_whose_certificate_is_refused_for_its_days_hears_of_clocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begins: str, ends: str, why: str
) -> None:
    for before, now in (("20000101000000Z", begins), ("99991231235959Z", ends)):
        ca = configuring.CA.replace(f"date = {before}", f"date = {now}")
        monkeypatch.setattr(configuring, "CA", ca)
    configure(tmp_path, ["one"], 4222)
    with pytest.raises(ssl.SSLCertVerificationError) as refused:
        shake_hands(tmp_path, tmp_path / "hall.pem", "localhost")
    told = away(refused.value)
    assert isinstance(told, Message)
    assert say(told).startswith(f"by this computer's clock, {time.strftime('%Y-%m-%d %H:')}")
    assert why in say(told)


@pytest.mark.parametrize("name", ["hub", "a.b", "a b", ""])
def test_what_is_no_name_of_a_board_gets_no_key(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadText):
        configure(tmp_path, [name], 4222)
    assert not list(tmp_path.glob("*.nk"))


def test_a_file_that_is_no_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "one.nk").write_text("none")
    with pytest.raises(BadText, match=r"one\.nk is no NKey"):
        configure(tmp_path, ["one"], 4222)


@pytest.mark.parametrize("url", ["hall.local", "http://hall", "nats://me:secret@hall", "nats://"])
def test_what_is_no_address_of_a_hall_is_refused_with_its_line(tmp_path: Path, url: str) -> None:
    said = url.replace("me:secret", "…")
    file = tmp_path / "settings.toml"
    file.write_text(f'[hub]\nurl = "{url}"\n', "utf-8")
    with pytest.raises(BadFile) as refused:
        load(file)
    assert f"settings.toml:2: hub.url: {said} is no address of a NATS server" in str(refused.value)


# ------------------------------------------------------------------------------- the wall


class Watched:
    """A wall in a thread, and what a page of it was told last, by kind."""

    def __init__(self, nats: Nats, desk: HallDesk | None = None, days: Any = 1) -> None:
        self.server = WallServer(0, Keys("correct-horse-battery-staple"))
        self.server.start()
        self.said: list[str] = []
        of = HubSettings(nats.url)
        self.wall = HallWall(of, self.server, days, self.said.append, desk=desk)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            self._task = self._loop.create_task(self.wall.run())
            with suppress(asyncio.CancelledError):
                runner.run(self._until_cancelled())

    async def _until_cancelled(self) -> None:
        await self._task

    def kind(self, kind: str) -> dict[str, Any]:
        texts = self.server.pages.latest.get(kind, {})
        found: dict[str, Any] = json.loads(texts.get((-1, "en"), "{}"))
        return found

    def board(self, name: str) -> dict[str, Any]:
        return self.kind(f"board {name}")

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()
        self.server.close()


@pytest.fixture
def watch(nats: Nats) -> Iterator[Callable[..., Watched]]:
    walls: list[Watched] = []

    def watching(**how: Any) -> Watched:
        walls.append(Watched(nats, **how))
        return walls[-1]

    yield watching
    for wall in walls:
        wall.close()


def test_walls_show_boards_and_results_however_late_they_come(
    site: Site, nats: Nats, begin: Begin, watch: Callable[[], Watched]
) -> None:
    nats.start()
    first = watch()
    hub = begin("one")
    shown(site)
    hub.journal.begin(match("m1"), moves("a1"))
    eventually(lambda: first.board("one").get("told") == 2 and first.board("one").get("title"))
    it = first.board("one")
    assert (it["game"], it["seats"], it["active"]) == ("HexAlma", ["Black", "White"], 1)
    assert (it["newest"], it["torn"], it["silent"]) == ("Black moves.", False, False)
    hub.journal.end(["Black", "White"], (1, 0), "Black wins.")
    [result] = eventually(lambda: first.kind("results")["results"])
    assert (result["board"], result["game"], result["scores"]) == ("one", "HexAlma", [1, 0])
    second = watch()
    eventually(lambda: second.board("one").get("told") == 3)
    eventually(lambda: second.kind("results").get("results") == [result])
    hub.journal.add(['{"type":"back","to":0}'], 1)
    eventually(lambda: first.kind("results")["results"] == [])


def over(nats: Nats, board: str, match: str, stood: float, ahead: float = 0) -> None:
    """A board tells that a match ended, which was then by its clock, Unix s, and how it stands: its
    clock is so many seconds ahead."""
    about = {"type": "over", "n": 1, "match": match, "game": "hexalma", "seats": ["B", "W"]}
    text = json.dumps(about | {"scores": [1, 0], "outcome": ""}).encode()
    at = {"Hexboard-At": str(int(stood * 1e9)), "Nats-Msg-Id": match}
    now = {"title": "t", "at": time.time() + ahead, "told": 1, "state": STATE}

    async def tell(js: Any) -> None:
        await streams(js._nc)
        await js.publish(f"hexboard.told.{board}", text, headers=at)
        await js.publish(f"hexboard.now.{board}", json.dumps(now).encode())

    nats.ask(tell)


def test_results_stand_where_they_came_not_where_the_hall_heard_of_them(
    nats: Nats, watch: Callable[[], Watched]
) -> None:
    """A board that was cut off for two hours; one whose clock is three hours ahead; one without."""
    nats.start()
    wall, now = watch(), time.time()
    over(nats, "there", "m1", 0)
    over(nats, "cut-off", "m2", now - 7200)
    over(nats, "wrong", "m3", now - 3600 + 10800, ahead=10800)
    over(nats, "future", "m4", now + 86400)
    eventually(lambda: len(wall.kind("results").get("results", [])) == 4)
    eventually(lambda: wall.board("wrong").get("drift"))

    def shown() -> dict[str, float]:
        return {it["board"]: round((it["at"] - now) / 60) for it in wall.kind("results")["results"]}

    eventually(lambda: shown()["wrong"] == -60)
    assert shown() == {"future": 0, "there": 0, "wrong": -60, "cut-off": -120}
    assert list(shown())[2:] == ["wrong", "cut-off"]  # the newest first


def test_that_a_wall_shows_the_newest_results_alone_is_said(
    nats: Nats, watch: Callable[[], Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walls_, "RESULTS", 2)
    nats.start()
    wall, now = watch(), time.time()
    for n, ago in enumerate((30, 10)):
        over(nats, f"b{n}", f"m{n}", now - ago)
    eventually(lambda: len(wall.kind("results").get("results", [])) == 2)
    assert wall.kind("results")["most"] == 0
    over(nats, "b2", "m2", now - 20)
    sheet = eventually(lambda: (it := wall.kind("results"))["most"] and it)
    assert ([it["board"] for it in sheet["results"]], sheet["most"]) == (["b1", "b2"], 2)


@pytest.mark.long
def test_a_wall_that_stands_for_weeks_shows_what_one_does_that_was_just_started(
    nats: Nats, watch: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day is a second here. What came of all games since the wall was hung up stayed on it."""
    monkeypatch.setattr(walls_, "RESULTS", 2)
    nats.start()
    second: Any = 1 / 86_400
    wall, now = watch(), time.time()
    for n in range(3):
        over(nats, f"old{n}", f"m{n}", now)
    eventually(lambda: wall.kind("results").get("most") == 2)
    wall.wall._days = second  # from now on, however long that took
    time.sleep(1.1)
    over(nats, "new", "m9", time.time())
    walls = wall, watch(days=second)
    eventually(lambda: all("new" in str(it.kind("results")) for it in walls))
    for sheet in (it.kind("results") for it in walls):
        assert ([it["board"] for it in sheet["results"]], sheet["most"]) == (["new"], 0)


def test_a_clock_that_was_ahead_once_hides_no_later_result() -> None:
    """A server whose clock was set right: by its stamps all that follows is of long ago."""
    wall = HallWall(HubSettings("nats://127.0.0.1:4222"), WallServer(0, Keys("token")))
    now = datetime(2026, 12, 1, 20, tzinfo=UTC)
    for name, at in (("ahead", now + timedelta(days=400)), ("b1", now), ("b2", now)):
        told = HallOver(1, "m1", "hexalma", ("Black", "White"), (1, 0), "Black wins.")
        msg: Any = SimpleNamespace(data=json.dumps(to_builtins(told)).encode(), headers={})
        wall._told(wall.boards.setdefault(name, walls_._Board(name)), msg, at)
    assert {board for board, _ in wall.results} == {"ahead", "b1", "b2"}


@pytest.mark.long
def test_a_wall_over_which_the_server_dies_goes_on_with_all_of_it(
    nats: Nats, begin: Begin, watch: Callable[[], Watched]
) -> None:
    nats.start()
    wall = watch()
    hub = begin("one")
    hub.journal.begin(match("m1"), moves("a1"))
    eventually(lambda: wall.board("one").get("told") == 2)
    nats.kill()
    [told] = eventually(lambda: wall.said)
    assert told.startswith(f"The NATS server at {nats.url} is not there, or has no JetStream (")
    hub.journal.add(moves("b2"), 1)
    nats.start()
    eventually(lambda: wall.board("one").get("told") == 3)
    assert wall.board("one")["torn"] is False


def test_what_does_not_follow_is_said_and_nonsense_hurts_no_other_board(
    site: Site, nats: Nats, begin: Begin, watch: Callable[[], Watched]
) -> None:
    nats.start()
    hub = begin("one")
    shown(site)
    hub.journal.begin(match("m1"), moves("a1"))
    eventually(lambda: played(nats, "one") == ["a1"])
    rows = hub.journal.after(0, 10)

    async def lie(js: "JetStreamContext") -> None:
        for row in (rows[0], rows[1]):  # the second with another move in it
            text = row.text.replace("a1", "h8").encode()
            await js.publish("hexboard.told.liar", text, headers={"Nats-Msg-Id": row.link + "x"})
        await js.publish("hexboard.told.noise", b"\xff{")
        await js.publish("hexboard.now.noise", b'{"state": 7}')
        await js.publish("hexboard.now.script", _now(link="javascript:alert(1)"))

    nats.ask(lie)
    wall = watch()
    eventually(lambda: wall.board("liar").get("torn") and wall.board("noise").get("torn"))
    eventually(lambda: wall.board("one").get("told") == 2)
    assert wall.board("one")["torn"] is False
    assert eventually(lambda: wall.board("script"))["link"] == ""


def test_numbers_and_names_too_long_to_be_shown_are_torn_and_the_wall_goes_on(
    site: Site, nats: Nats, begin: Begin, watch: Callable[[], Watched]
) -> None:
    nats.start()
    longest, name = "9" * 4300, "x" * 900_000
    over = '{"type":"over","n":%s,"match":"m","game":"%s","seats":[],"scores":[],"outcome":""}'

    async def lie(js: "JetStreamContext") -> None:
        await streams(js._nc)
        await js.publish("hexboard.told.number", (over % (f"-{longest}", "hexalma")).encode())
        await js.publish("hexboard.now.number", _now().replace(b'"told": 0', b'"told": 1'))
        await js.publish("hexboard.told.less", (over % (f"-{longest}", "hexalma")).encode())
        much = _now().replace(b'"told": 0', f'"told": {longest}'.encode())
        await js.publish("hexboard.now.less", much)
        await js.publish("hexboard.told.name", (over % (1, name)).encode())
        long, told = "x" * 201, over % (1, "hexalma")
        begun = {"type": "begun", "n": 1, "start": to_builtins(match(long))}
        await js.publish("hexboard.told.begun", json.dumps(begun).encode())
        entry = {"type": "entry", "n": 1, "match": long, "k": 0, "entry": {}}
        await js.publish("hexboard.told.entry", json.dumps(entry).encode())
        await js.publish("hexboard.told.over", told.replace('"m"', f'"{long}"').encode())
        many = json.dumps({"scores": [0] * 17})[1:-1]
        await js.publish("hexboard.told.scores", told.replace('"scores":[]', many).encode())
        headers = {"Hexboard-At": longest * 2}
        await js.publish("hexboard.told.time", (over % (1, "hexalma")).encode(), headers=headers)

    nats.ask(lie)
    wall = watch()
    liars = ("number", "less", "name", "begun", "entry", "over", "scores")
    eventually(lambda: all(wall.board(liar).get("torn") for liar in liars))
    eventually(lambda: wall.board("time").get("told"))
    begin("one").journal.begin(match("m1"), moves("a1"))
    eventually(lambda: wall.board("one").get("told") == 2)


@pytest.mark.parametrize("too_long", [{"title": "x" * 201}, {"link": "http://" + "x" * 2000}])
def test_how_a_board_stands_is_torn_where_a_name_or_a_link_in_it_is_too_long(
    too_long: dict[str, str], nats: Nats, watch: Callable[[], Watched]
) -> None:
    nats.start()
    wall = watch()
    eventually(lambda: wall.wall.why is None and wall.wall._made.get("HEXBOARD"))

    async def lie(js: "JetStreamContext") -> None:
        await js.publish("hexboard.now.liar", _now(**too_long))

    nats.ask(lie)
    assert eventually(lambda: wall.board("liar"))["torn"]


def _now(**otherwise: object) -> bytes:
    now = {"title": "t", "at": 1.0, "told": 0, "state": STATE, "link": ""}
    return json.dumps(now | otherwise).encode()


def test_a_clock_that_is_a_day_apart_is_said_and_changes_nothing(
    nats: Nats, watch: Callable[[], Watched]
) -> None:
    nats.start()
    wall = watch()
    eventually(lambda: wall.wall.why is None and wall.wall._made.get("HEXBOARD"))

    async def behind(js: "JetStreamContext") -> None:
        await js.publish("hexboard.now.old", _now(at=1_000_000.0))

    nats.ask(behind)
    it = eventually(lambda: wall.board("old"))
    assert it["drift"] < -86_400
    assert it["silent"] is False


def test_a_relative_folder_is_compared_with_a_hall_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`hexboard doctor --state HERE` ended with a mistake of ours."""
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect(NAME)) as db:
        db.execute("CREATE TABLE told (link TEXT, n INTEGER)")
    with pytest.raises(HexboardError) as told:
        compared(HubSettings(url="nats://127.0.0.1:1"), "x", Path())
    assert told.value.message.key == "hub.away"
