"""A tournament in a hall: results out of a real NATS server, in a file that nothing tears."""

import asyncio
import errno
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.daemon.hall import desk as desks
from hexboard.daemon.hall import hub
from hexboard.daemon.hall import marks as marking
from hexboard.daemon.hall.desk import HallDesk
from hexboard.daemon.hall.marks import marks
from hexboard.daemon.hall.starting import start_on, start_wanted
from hexboard.daemon.hall.tournament import (
    BoardMark,
    TournamentPlace,
    begun,
    next_round,
    pairings,
    resulted,
    standings,
    text,
)
from hexboard.daemon.hall.wire import streams
from hexboard.record.hall_journal import HallBegun, HallOver
from hexboard.record.trf import HallOf, Trf, read_trf, write_trf
from hexboard.settings import HubSettings
from hexboard.web.requests import FromPage, New
from hexboard.words import Message, message, say
from hexboard.words.errors import HexboardError
from tests.daemon.test_hall import Begin, Watched, begin, match, nats
from tests.daemon.test_mqtt import STATE, shown
from tests.golden import STILL
from tests.hall import Nats
from tests.record.test_hall_journal import moves
from tests.running import PATIENCE, eventually, free_port
from tests.web.test_server import Site

__all__ = ["begin", "nats"]  # fixtures
NAMES = ("Ann", "Ben", "Cem", "Dora")
Watch = Callable[[], Watched]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A tournament of four on the boards one and two, of which no round is paired."""
    path = tmp_path / "evening.trf"
    write_trf(path, text(begun("Evening", NAMES, 2, False, HallOf("hexalma", ("one", "two")), "")))
    return path


@pytest.fixture
def watch(nats: Nats, file: Path) -> Iterator[Watch]:
    walls: list[Watched] = []

    def watching() -> Watched:
        walls.append(Watched(nats, HallDesk(file)))
        return walls[-1]

    yield watching
    for wall in walls:
        wall.close()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards say often how they stand, and are waited for."""
    monkeypatch.setattr(hub, "BEAT_S", 0.2)
    monkeypatch.setattr(marking, "SAYS_S", PATIENCE)


@contextmanager
def saying(nats: Nats, *boards: str, told: int = 0) -> Iterator[None]:
    """Boards that say again and again that they have told so many things, or will."""
    over = Event()

    async def tell(js: Any) -> None:
        await streams(js._nc)
        while not over.is_set():
            for board in boards:
                await js.publish(f"hexboard.now.{board}", stood(told))
            await asyncio.sleep(0.05)

    thread = Thread(target=nats.ask, args=(tell,))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def stood(told: int) -> bytes:
    return json.dumps({"title": "t", "at": 1.0, "told": told, "state": STATE}).encode()


def paired(file: Path, nats: Nats, there: tuple[str, ...] = ("one", "two")) -> dict[str, BoardMark]:
    """The next round, after what boards have told by now, while these say that they are there.
    Round 1: Ann-Cem, Dora-Ben."""
    trf = read_trf(file)
    with saying(nats, *there):
        known = marks(HubSettings(nats.url), trf.hall.boards)
    write_trf(file, text(next_round(trf, known)))
    return known


def results(file: Path) -> list[str]:
    trf = read_trf(file)
    return [it.result for it in pairings(trf, trf.paired)]


def tables(wall: Watched) -> list[str]:
    return [it["result"] for it in wall.kind("tournament").get("pairings", [])]


def test_the_end_of_a_boards_match_is_the_pairings_result_and_on_the_wall(
    nats: Nats, begin: Begin, file: Path, watch: Watch
) -> None:
    nats.start()
    wall, one, two = watch(), begin("one"), begin("two")
    one.journal.begin(match("m0"), moves("a1"))  # before the pairing
    eventually(lambda: wall.board("one").get("told") == 2)
    paired(file, nats)
    eventually(lambda: tables(wall) == ["", ""])
    one.journal.end(["Black", "White"], (1, 0), "Black wins.")
    sheet = eventually(lambda: (it := wall.kind("tournament"))["pairings"][0]["why"] and it)
    assert sheet["pairings"][0]["why"] == (
        "one tells the end of a match that began before this pairing: it does not count. "
        "Enter the result by hand, or play."
    )
    one.journal.begin(match("m1"), moves("a1"))
    one.journal.end(["Black", "White"], (0, 1), "White wins.")
    two.journal.begin(match("m2"), moves("a1"))
    two.journal.end(["Black", "White"], (4, 4), "A draw.")
    eventually(lambda: results(file) == ["0-1", "½-½"])
    sheet = eventually(lambda: (it := wall.kind("tournament"))["after"] == 1 and it)
    assert [(it["rank"], it["name"], it["points"]) for it in sheet["places"]] == [
        (1, "Cem", 1.0),
        (2, "Ben", 0.5),
        (2, "Dora", 0.5),
        (4, "Ann", 0.0),
    ]
    two.journal.add(['{"type":"back","to":0}'], 1)  # taken back, and played otherwise
    eventually(lambda: results(file) == ["0-1", ""])
    two.journal.end(["Black", "White"], (1, 0), "Black wins.")
    eventually(lambda: results(file) == ["0-1", "1-0"])


@pytest.mark.parametrize("early", [True, False], ids=["a hub that was there", "a hub come later"])
def test_a_match_that_stands_there_and_nobody_has_begun_is_the_pairings(
    site: Site, nats: Nats, begin: Begin, file: Path, watch: Watch, early: bool
) -> None:
    """Its cards are dealt already, and that is told; a board on which somebody has moved is not
    waiting for a pairing."""
    nats.start()
    one = begin("one")
    if early:
        watch()
    one.journal.begin(match("m1"), moves("deal a", "deal b"))
    shown(site, match="m1", begun=False)
    eventually(lambda: stands(nats).get("fresh") == 0)
    assert paired(file, nats, there=("two",))["one"].after == 0
    one.journal.add(moves("a1", "b1"), 2)
    shown(site, match="m1", begun=True)
    eventually(lambda: stands(nats).get("told") == 5)
    assert stands(nats)["fresh"] is None
    assert marks(HubSettings(nats.url), ["one"])["one"].after == 5
    if not early:
        watch()
    one.journal.end(["Black", "White"], (0, 1), "White wins.")
    eventually(lambda: results(file)[0] == "0-1")


def stands(nats: Nats) -> dict[str, Any]:
    """What the board one has said last of how it stands."""
    said = [text for at, _, text in nats.told("HEXBOARD_NOW") if at == "hexboard.now.one"]
    found: dict[str, Any] = json.loads(said[-1]) if said else {}
    return found


def test_what_came_while_no_hub_ran_is_there_when_one_does(
    nats: Nats, begin: Begin, file: Path, watch: Watch
) -> None:
    nats.start()
    one = begin("one")
    one.journal.begin(match("m0"), moves("a1"))
    eventually(lambda: len(nats.told()) == 2)
    paired(file, nats)
    one.journal.end(["Black", "White"], (1, 0), "Black wins.")
    one.journal.begin(match("m1"), moves("a1"))
    one.journal.end(["Black", "White"], (0, 1), "White wins.")
    eventually(lambda: len(nats.told()) == 6)
    watch()
    eventually(lambda: results(file) == ["0-1", ""])
    assert read_trf(file).set[0].match == "m1"


def test_a_person_corrects_what_a_board_told_while_the_hub_runs(
    nats: Nats, begin: Begin, file: Path, watch: Watch
) -> None:
    nats.start()
    wall, one = watch(), begin("one")
    paired(file, nats)
    one.journal.begin(match("m1"), moves("a1"))
    one.journal.end(["Black", "White"], (1, 0), "Black wins.")
    eventually(lambda: tables(wall) == ["1-0", ""])
    write_trf(file, text(resulted(read_trf(file), 1, 1, "1/2")))
    eventually(lambda: tables(wall) == ["½-½", ""])
    one.journal.begin(match("m2"), moves("a1"))
    one.journal.end(["Black", "White"], (0, 1), "White wins.")
    eventually(lambda: wall.board("one").get("told") == 6)
    assert results(file) == ["½-½", ""]


def test_a_file_that_is_torn_while_the_hub_runs_is_said_and_read_again(
    nats: Nats, begin: Begin, file: Path, watch: Watch
) -> None:
    nats.start()
    wall = watch()
    paired(file, nats)
    eventually(lambda: tables(wall) == ["", ""])
    whole = file.read_text("utf-8")
    file.write_text(whole[:300], "utf-8")
    eventually(lambda: wall.kind("tournament")["why"])
    assert "evening.trf" in eventually(lambda: wall.said)[0]
    assert "Traceback" not in wall.said[0]
    file.write_text(whole, "utf-8")
    eventually(lambda: wall.kind("tournament")["why"] == "" and tables(wall) == ["", ""])


@pytest.mark.long
def test_what_a_board_has_still_to_tell_is_before_the_pairing(
    nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But of one that says nothing now nobody knows what it has still to tell."""
    nats.start()
    of = HubSettings(nats.url)
    monkeypatch.setattr(marking, "SAYS_S", 0.6)
    assert marks(of, ["one"]) == {}

    async def tell(js: Any) -> None:
        await js.publish("hexboard.told.one", b'{"type":"entry","n":7,"match":"m","k":0,"entry":1}')
        await js.publish("hexboard.now.one", stood(9))
        await js.publish("hexboard.told.noise", b"\xff{")

    nats.ask(tell)
    assert marks(of, ["one"]) == {}
    monkeypatch.setattr(marking, "SAYS_S", PATIENCE)
    with saying(nats, "one", "noise", told=9):
        known = marks(of, ["one", "noise"])
    assert known == {"one": BoardMark(9, 2), "noise": BoardMark(0, 2)}


def test_a_start_is_answered_by_what_comes_of_it(
    site: Site, nats: Nats, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the board's table refuses is no start, though the page's server took it."""
    nats.start()
    begin("one", starts=True)
    shown(site, match="m0")
    eventually(lambda: stands(nats))
    of = HubSettings(nats.url)

    def refuses(request: FromPage) -> bool:
        site.server.answer(request.source, message("front.changing"))
        return True

    def begins(_: FromPage) -> bool:
        shown(site, match="m1")
        return True

    def asked() -> str:
        return start_on(of, "one", "hexalma", {}, ("Ann", "Ben"))

    site.server.pages.take = refuses
    assert asked() == say(message("front.changing"))
    site.server.pages.take = begins
    assert asked() == ""
    monkeypatch.setattr(hub, "BEGINS_S", 0.2)
    site.server.pages.take = lambda _: True
    assert asked() == say(message("hub.not_yet"))


# ------------------------------------------------------------------------------- the desk


def told_of(desk: HallDesk) -> None:
    """Board one plays a match, which the first seat wins."""
    desk.hear("one", HallBegun(1, match("m1")))
    desk.hear("one", HallOver(2, "m1", "hexalma", ("Black", "White"), (1, 0), "Black wins."))


@pytest.mark.long
def test_a_result_that_a_full_disk_refused_is_entered_once_there_is_room(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_trf(file, text(next_round(read_trf(file), {"one": BoardMark(0, 0)})))
    full = [OSError(errno.ENOSPC, "No space left on device")]

    def write(path: Path, what: str) -> None:
        if full:
            raise full.pop()
        write_trf(path, what)

    monkeypatch.setattr(desks, "write_trf", write)
    desk = HallDesk(file)
    told_of(desk)
    assert desk.look()
    assert desk.trouble is not None
    assert "No space left" in say(desk.trouble)
    assert not desk.look()  # not at once
    assert results(file) == ["", ""]
    eventually(desk.look)
    assert results(file) == ["1-0", ""]
    assert desk.sheet()["why"] == ""
    assert not desk.look()


def test_what_somebody_enters_while_places_are_counted_is_seen(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_trf(file, text(next_round(read_trf(file), {})))
    entered = [lambda: write_trf(file, text(resulted(read_trf(file), 1, 1, "1-0")))]

    def counted(trf: Trf) -> list[TournamentPlace]:
        if entered:
            entered.pop()()
        return standings(trf)

    monkeypatch.setattr(desks, "standings", counted)
    desk = HallDesk(file)
    assert desk.look()
    assert desk.look()
    assert desk.trf == read_trf(file)
    assert not desk.look()


def test_a_hall_that_is_away_is_said() -> None:
    with pytest.raises(HexboardError, match=r"The hall's NATS at nats://\S+ is not there \("):
        marks(HubSettings(f"nats://127.0.0.1:{free_port()}"), ["one"])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "hub.no_start"),
        (b"[]", "hub.no_start"),
        (b'{"game":""}', "hub.no_start"),
        (b'{"game":"hexalma","names":[1]}', "hub.no_start"),
        (b'{"game":"hexalma","key":"x"}', "hub.no_start"),
        (b'{"game":"nothing"}', "game.none"),
    ],
)
def test_what_is_no_start_is_refused_in_a_sentence(data: bytes, why: str) -> None:
    said = start_wanted(data, STILL)
    assert isinstance(said, Message)
    assert said.key == why
    assert say(said)


def test_a_start_is_what_a_host_would_ask_for_and_waits_for_no_match() -> None:
    data = b'{"game":"hexalma","options":{"o":"off"},"names":["Ann","Ben"]}'
    said = start_wanted(data, STILL)
    assert said == New(game="hexalma", options={"o": "off"}, names=("Ann", "Ben"))
    refused = start_wanted(data, replace(STILL, begun=True))
    assert isinstance(refused, Message)
    assert refused.key == "hub.match_goes_on"
    over = replace(STILL, begun=True, scores=(1, 0))
    assert start_wanted(data, over) == said


# ------------------------------------------------------------------------------- the file


PROGRAM = """
import os, sys
from pathlib import Path
from hexboard.daemon.hall import desk, tournament
from hexboard.record import trf as format
file, kept = Path(sys.argv[1]), Path(sys.argv[1]).read_bytes()
new = tournament.text(tournament.resulted(format.read_trf(file), 1, 1, "0-1"))
count = 0

def steps(frame, event, what):
    global count
    count += event == "c_call"
    if count == last:
        os.kill(os.getpid(), 9)

for last in range(1, 1000):
    file.write_bytes(kept)
    child = os.fork()
    if not child:
        with desk.changing(file):
            sys.setprofile(steps)
            format.write_trf(file, new)
            sys.setprofile(None)
        os._exit(0)
    code = os.waitpid(child, 0)[1]
    found = file.read_text("utf-8")
    assert found in (kept.decode(), new), found
    print(last, "new" if found == new else "old", code)
    if code == 0:
        break
"""


@pytest.mark.long
def test_a_kill_between_any_two_steps_of_a_write_leaves_the_old_file_or_the_new(file: Path) -> None:
    write_trf(file, text(resulted(next_round(read_trf(file), {}), 1, 1, "1-0")))
    command = [sys.executable, "-c", PROGRAM, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [line.split() for line in done.stdout.splitlines()]
    assert len(told) > 10
    assert {said for _, said, _ in told} == {"old", "new"}
    assert told[-1][1:] == ["new", "0"]
    assert all(code == "9" for _, _, code in told[:-1])


@pytest.mark.long
def test_a_kill_at_any_time_loses_no_result_that_was_said_to_be_entered(file: Path) -> None:
    write_trf(file, text(next_round(read_trf(file), {})))
    program = (
        "import itertools, sys\n"
        "from pathlib import Path\n"
        "from hexboard.commands.hub.tournament import _changed\n"
        "from hexboard.daemon.hall.tournament import resulted\n"
        "for said in itertools.cycle(['1-0', '0-1', '1/2']):\n"
        "    _changed(Path(sys.argv[1]), lambda trf: resulted(trf, 1, 1, said))\n"
        "    print(said, flush=True)\n"
    )
    shown = {"1-0": "1-0", "0-1": "0-1", "1/2": "½-½"}
    order = ["1-0", "0-1", "1/2"]
    for count in (1, 2, 5, 9):
        command = [sys.executable, "-c", program, str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writes:
            assert writes.stdout is not None
            said = [writes.stdout.readline().strip() for _ in range(count)]
            writes.kill()
            said += writes.stdout.read().split()
        next_ = order[(order.index(said[-1]) + 1) % 3]
        result = pairings(read_trf(file), 1)[0].result
        assert result in (shown[said[-1]], shown[next_])
