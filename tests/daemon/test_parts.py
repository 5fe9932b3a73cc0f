"""The daemon's parts, each by itself: notices, recovery, sources, the dealer."""

import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hexboard import __version__
from hexboard.board import Board, find, load
from hexboard.daemon import clock
from hexboard.daemon.dealing import Dealing
from hexboard.daemon.greeting import LINK, Links
from hexboard.daemon.lighting import Lighting
from hexboard.daemon.notices import Notices
from hexboard.daemon.pages import apart
from hexboard.daemon.recovery import LONGEST_PAUSE_S, Recovery
from hexboard.daemon.sources import Sources
from hexboard.daemon.watchdog import Watchdog
from hexboard.devices.link import UNLIT
from hexboard.facts import (
    Declare,
    Edge,
    Fact,
    Presence,
    Reading,
    Report,
    Scanned,
    Seal,
    Snapshot,
    Start,
    Unseal,
    Watermark,
)
from hexboard.game import registry
from hexboard.game.shuffle import commitment
from hexboard.lights.frame import LightSettings
from hexboard.record.crashes import KEPT, keep_crash
from hexboard.table import Table, open_table
from hexboard.web import reach
from hexboard.web.figures import Figures
from hexboard.web.keys import GUESSES_IN_ALL, GUESSING_S, HOST, Keys, token
from hexboard.web.reach import Reach
from hexboard.web.requests import Lights
from hexboard.web.server import Server
from hexboard.words import Value, message, say
from hexboard.words.errors import HexboardError
from tests.running import PATIENCE, eventually


def opened(board: Board, game: str, **options: Value) -> Table[Any]:
    """A table at its first fact."""
    rules = registry.find(game).rules()
    start = Start("m", board.name, board.hash, game, rules, options, __version__)
    table = open_table(board, start)
    table.step(Fact(1, 0, 0, "table", start))
    return table


# --------------------------------------------------------------------------------------- greeting


def test_who_ends_every_key_does_not_wait_for_the_greeting(tmp_path: Path) -> None:
    """It asks the network for a name; the board's own loop goes on meanwhile."""
    server = Server(0, Keys(token(tmp_path / "token")), lambda request: True)
    heard, told = threading.Event(), threading.Event()

    def echo(line: str) -> None:
        heard.wait(1)
        told.set()

    links = Links(server, tmp_path, echo)
    links.renew("page 1")
    assert not told.is_set()
    heard.set()
    assert told.wait(PATIENCE)


def test_who_ends_every_key_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    """The key's file is one that nobody reads on: writing it never ends."""
    server = Server(0, Keys(token(tmp_path / "token")), lambda request: True)
    links = Links(server, tmp_path, lambda line: None)
    os.mkfifo(tmp_path / "token.part")
    asks = threading.Thread(target=links.renew, args=("page 1",), daemon=True)
    asks.start()
    asks.join(PATIENCE)
    assert not asks.is_alive()
    with (tmp_path / "token.part").open("rb") as reader:  # the disk answers
        assert reader.read()


def test_a_host_is_told_that_others_guessed_their_figures_away(tmp_path: Path) -> None:
    """A hundred wrong ones, by others: `hexboard link` has none then, and the key goes on."""
    keys, said = Keys(token(tmp_path / "token"), figures="123456"), list[str]()
    Links(Server(0, keys, lambda request: True), tmp_path, said.append)
    kept = tmp_path / LINK
    assert b"123456" in kept.read_bytes()
    for n in range(GUESSES_IN_ALL):
        assert not said
        with pytest.raises(HexboardError):
            keys.accept("000000", "", "", n * GUESSING_S)
    eventually(lambda: said)
    assert said[0].startswith("Too many wrong figures came")
    assert b"123456" not in kept.read_bytes()
    with pytest.raises(HexboardError):
        keys.accept("123456", "", "", 200 * GUESSING_S)
    assert keys.of(token(tmp_path / "token")) == HOST


def test_figures_that_are_guessed_away_as_others_come_take_none_of_those(tmp_path: Path) -> None:
    """The links have the new ones already, the keys not yet: the file had none, for good."""
    keys = Keys(token(tmp_path / "token"), figures="123456")
    links = Links(Server(0, keys, lambda request: True, Reach(network=True)), tmp_path, print)
    kept = tmp_path / LINK
    links.renew("page 1")  # which a server that does not run never tells the keys
    eventually(lambda: b"123456" not in kept.read_bytes())
    for n in range(GUESSES_IN_ALL):
        with pytest.raises(HexboardError):
            keys.accept("000000", "", "", n * GUESSING_S)
    for thread in threading.enumerate():
        if thread.name == "keys":
            thread.join(PATIENCE)
    assert len(msgspec.json.decode(kept.read_bytes())["figures"]) == 6


def test_spectators_get_the_address_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(0, Keys(""), lambda request: True, Reach(network=True))
    monkeypatch.setattr(reach, "address", lambda: "10.0.0.9")
    links = Links(server, tmp_path, lambda line: None)
    assert links.spectators.startswith("http://10.0.0.9:0/board?")
    monkeypatch.setattr(reach, "address", lambda: "192.168.1.20")
    assert links.spectators.startswith("http://192.168.1.20:0/board?")


# ------------------------------------------------------------------------------------------ pages


def test_a_view_that_cannot_be_made_harms_nobody_elses() -> None:
    hands = {-1: b"all", 0: b"Ann's", 2: b"Cat's"}
    shown, mistake = apart(hands.__getitem__, (-1, 0, 1, 2))
    assert shown == hands
    assert isinstance(mistake, KeyError)
    assert apart(hands.__getitem__, (0,)) == ({0: b"Ann's"}, None)


# ---------------------------------------------------------------------------------------- notices


def test_a_notice_stands_until_it_is_over_and_pages_hear_of_both() -> None:
    notices = Notices([message("vision.view")], lambda: None)
    notices.changed = False
    notices.tell("crash", message("daemon.no_board"))
    assert (notices.changed, [note.key for note in notices]) == (
        True,
        ["vision.view", "daemon.no_board"],
    )
    notices.changed = False
    assert notices.drop("crash", "mistake")
    assert notices.changed
    notices.changed = False
    assert not notices.drop("crash")
    assert not notices.changed


# --------------------------------------------------------------------------------------- watchdog


def test_systemd_hears_that_it_works_only_while_every_part_does(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(0)
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "60000000"}
        Watchdog(told).ready()
        assert systemd.recv(100) == b"READY=1"
        now = time.monotonic()
        Watchdog(told).turn(lambda: now, lambda: now - 31)
        with pytest.raises(BlockingIOError):
            systemd.recv(100)
        watchdog = Watchdog(told)
        for _ in range(3):  # the second and third come too soon
            watchdog.turn(lambda: now, lambda: now - 29)
        assert systemd.recv(100) == b"WATCHDOG=1"
        with pytest.raises(BlockingIOError):
            systemd.recv(100)
    Watchdog(told).ready()  # nobody is there any more
    Watchdog({}).turn(lambda: 0.0)


# --------------------------------------------------------------------------------------- recovery


def test_of_crashes_the_newest_are_kept(tmp_path: Path) -> None:
    for k in range(KEPT + 5):
        os.utime(keep_crash(tmp_path / f"m{k}.mcap", ValueError(), False), (k, k))
    keep_crash(tmp_path / "last.mcap", ValueError(), False)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"last.crash.txt", *(f"m{k}.crash.txt" for k in range(6, KEPT + 5))}


def test_the_pause_doubles_at_one_position_up_to_a_minute_and_begins_anew_at_another() -> None:
    recovery = Recovery()
    pauses = []
    for _ in range(8):
        recovery.crashed("m", 3)
        pauses.append(recovery.pause)
    assert pauses == [1, 2, 4, 8, 16, 32, LONGEST_PAUSE_S, LONGEST_PAUSE_S]
    recovery.crashed("m", 4)
    assert recovery.pause == 1
    assert not recovery.resting
    recovery.rest()
    assert recovery.resting


@pytest.mark.parametrize("hidden", [False, True])
def test_a_crash_is_kept_beside_the_recording_with_what_caused_it(
    hidden: bool, tmp_path: Path
) -> None:
    """While cards are hidden without what the errors say."""
    card = "n" + "ine"
    try:
        try:
            ["2"].index(card)
        except ValueError as why:
            raise KeyError(card) from why
    except KeyError as error:
        kept = keep_crash(tmp_path / "m.mcap", error, hidden, '{"n":7}')
    assert kept == str(tmp_path / "m.crash.txt")
    assert Path(kept).stat().st_mode & 0o777 == 0o600
    text = Path(kept).read_text("utf-8")
    assert text.startswith('{"n":7}\n')
    assert text.rstrip().endswith("KeyError" if hidden else "KeyError: 'nine'")
    assert ("ValueError: 'nine' is not in list" in text, "nine" in text) == (not hidden, not hidden)
    assert text.count("test_parts.py") == 2


# ---------------------------------------------------------------------------------------- sources


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def sources(said: list[str]) -> Sources:
    return Sources(load(find("hextraction-22")), False, Notices((), lambda: None), said.append)


@pytest.fixture
def table(sources: Sources) -> Table[Any]:
    return opened(load(find("hextraction-22")), "hextraction")


def test_a_watermark_is_kept_aside_until_it_passes_a_deadline(
    sources: Sources, table: Table[Any]
) -> None:
    for until in (1_000, 3_000):
        assert not sources.hears(Report("pico", until, Watermark(until)), table.senses.knows, False)
    assert sources.passed(3_001) is None
    assert sources.passed(2_000) == Report("pico", 3_000, Watermark(3_000))
    assert sources.passed(2_000) is None


def test_a_snapshot_that_says_nothing_new_is_left_out(sources: Sources, table: Table[Any]) -> None:
    first = Report("pico", 5, Snapshot(("rail:main",)))
    assert sources.hears(first, table.senses.knows, False)
    table.step(Fact(2, 5, 5, "pico", first.body))
    assert not sources.hears(first, table.senses.knows, False)
    assert sources.hears(Report("pico", 6, Snapshot(())), table.senses.knows, False)


def test_how_well_a_source_looks_is_heard_and_told_the_next_table_unless_it_is_simulated(
    sources: Sources, table: Table[Any], said: list[str]
) -> None:
    there, looks = Presence(True), Scanned(20_000, 900)
    knows, report = table.senses.knows, Report("pico", 6, looks)
    assert sources.hears(Report("pico", 5, there), knows, False)
    assert not sources.hears(report, knows, True)
    assert sources.hears(report, knows, False)
    assert sources.hears(Report("pico", 7, Scanned(500_000, 900)), knows, False)
    assert list(sources.known) == [("pico", there), ("pico", looks)]
    simulated = Sources(load(find("hextraction-22")), True, Notices((), lambda: None), said.append)
    assert not simulated.hears(report, knows, False)
    assert not list(simulated.known)


def test_while_the_table_rests_only_people_and_who_is_there_are_heard(
    sources: Sources, table: Table[Any]
) -> None:
    edge = Report("pico", 5, Edge("gate:B1-1", True))
    assert sources.hears(edge, table.senses.knows, False)
    assert not sources.hears(edge, table.senses.knows, True)
    assert sources.hears(Report("page 1", 5, Declare(-1, "end")), table.senses.knows, True)
    assert not sources.hears(Report("dealer", 5, Seal("c", "d")), table.senses.knows, True)
    assert sources.hears(Report("pico", 5, Presence(True)), table.senses.knows, True)


def test_what_a_camera_read_before_another_match_is_not_heard(
    sources: Sources, table: Table[Any]
) -> None:
    sources.looks_since = 100
    assert not sources.hears(Report("camera", 99, Reading()), table.senses.knows, False)
    assert sources.hears(Report("camera", 100, Reading()), table.senses.knows, False)


def test_a_board_that_is_not_there_is_said_with_what_to_do_once(
    sources: Sources, table: Table[Any], said: list[str]
) -> None:
    away = Report("pico", 5, Presence(False, "no port"))
    assert sources.hears(away, table.senses.knows, False)
    assert not sources.lit
    assert (len(said), "no port" in said[0], "--simulate" in said[1]) == (2, True, True)
    assert sources.hears(away, table.senses.knows, False)
    assert len(said) == 3
    assert sources.hears(Report("pico", 6, Presence(True)), table.senses.knows, False)
    assert sources.lit


def test_a_board_that_stays_dark_is_there_and_a_notice_says_why(
    table: Table[Any], said: list[str]
) -> None:
    notices = Notices((), lambda: None)
    sources = Sources(load(find("hextraction-22")), False, notices, said.append)
    dark = Presence(True, UNLIT.format(port="/dev/ttyACM0"))
    assert sources.hears(Report("pico", 5, dark), table.senses.knows, False)
    lit = sources.lit
    assert [say(it) for it in notices] == said == [f"pico: {dark.why}"]
    assert sources.hears(Report("pico", 6, Presence(True)), table.senses.knows, False)
    assert (lit, sources.lit) == (False, True)
    assert not list(notices)


def test_a_board_that_says_something_else_of_itself_has_not_begun_anew() -> None:
    """It is a reset only where it was away."""
    figures = Figures()
    for body in (Presence(True), Presence(True, "dark"), Presence(True)):
        figures.heard(Report("pico", 5, body))
    assert resets(figures) == 0
    for body in (Presence(False), Presence(True), Presence(False), Presence(True, kept=True)):
        figures.heard(Report("pico", 5, body))
    assert resets(figures) == 1


def resets(figures: Figures) -> float:
    """How often the board has begun anew."""
    of = next(it for it in figures.figures() if it.name == "hexboard_pico_resets_total")
    return of.samples[0].value


def test_nobody_misses_lights_where_a_camera_looks_at_a_board_without_sensors(
    said: list[str],
) -> None:
    board = load(find("hexhex-5"))
    sources = Sources(board, False, Notices((), lambda: None), said.append)
    sources.watched = True
    table = opened(board, "hexalma")
    assert not sources.hears(
        Report("pico", 5, Presence(False, "no port")), table.senses.knows, False
    )
    assert not sources.hears(
        Report("pico", 6, Presence(False, "no port")), table.senses.knows, False
    )
    assert len(said) == 1


# ---------------------------------------------------------------------------------------- dealing


def test_the_dealer_shuffles_before_it_deals_and_proves_its_shuffle_once() -> None:
    table = opened(load(find("hexhex-5")), "hexel", hands="dealt")
    dealing = Dealing(None)
    assert dealing.proof(table.view()) is None
    seal = dealing.next(table.view())
    assert isinstance(seal, Seal)
    assert seal.commitment == commitment(seal.seed, seal.salt, seal.deck)
    table.step(Fact(2, 1, 1, "dealer", seal))
    card = dealing.next(table.view())
    assert isinstance(card, Declare)
    assert card == dealing.next(table.view())  # the seed fixes every draw
    table.step(Fact(3, 2, 2, "dealer", card))
    assert dealing.proof(table.view()) == Unseal(seal.seed, seal.salt)
    table.step(Fact(4, 3, 3, "dealer", Unseal(seal.seed, seal.salt)))
    assert dealing.proof(table.view()) is None


# ---------------------------------------------------------------------------------------- lighting


@pytest.mark.parametrize(
    ("night", "dark", "light"),
    [
        (("22:00", "07:00"), ("22:00", "23:59", "00:00", "06:59"), ("07:00", "12:00", "21:59")),
        (("01:30", "05:00"), ("01:30", "04:59"), ("01:29", "05:00", "23:00")),
        ((), (), ("00:00", "12:00")),
    ],
)
def test_the_night_is_dimmer_by_the_clock_and_people_have_the_last_word_until_it_turns(
    night: tuple[str, ...], dark: tuple[str, ...], light: tuple[str, ...]
) -> None:
    settings = LightSettings(brightness=40, night=night, night_brightness=7)
    lighting = Lighting(load(find("hexhex-5")), settings, lambda scene: scene, None)

    def at(clock: str) -> int:
        hours, minutes = clock.split(":")
        lighting.tick(60 * int(hours) + int(minutes))
        return lighting.settings.brightness

    assert {at(clock) for clock in light} <= {40}
    assert {at(clock) for clock in dark} <= {7}
    assert at(light[0]) == 40
    lighting.adjust(Lights(90, calm=True))
    assert (at(light[0]), lighting.settings.calm) == (90, True)  # nothing turned
    if dark:
        assert (at(dark[0]), at(light[0]), lighting.settings.calm) == (7, 40, True)


def test_by_a_clock_that_cannot_be_right_there_is_no_night_and_people_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A Pi that was switched on in the afternoon, at 0:15 of 1970, had dim lights."""
    settings = LightSettings(brightness=40, night=("23:00", "07:00"), night_brightness=7)
    lighting = Lighting(load(find("hexhex-5")), settings, lambda scene: scene, None)
    notices = Notices([], lambda: None)
    real, local = time.time, time.localtime
    monkeypatch.setattr(time, "time", lambda: 900.0)
    monkeypatch.setattr(time, "localtime", lambda: time.gmtime(900))
    lighting.tick(clock.minute(notices))
    assert lighting.settings.brightness == 40
    (told,) = map(say, notices)
    assert told.startswith("This computer's clock says 1970-01-01")
    monkeypatch.setattr(time, "time", real)
    monkeypatch.setattr(time, "localtime", local)
    assert clock.minute(notices) is not None
    assert list(notices) == []


def test_a_button_steps_from_the_usual_brightness_to_full_to_the_nights_and_round() -> None:
    settings = LightSettings(brightness=40, night=("22:00", "07:00"), night_brightness=7)
    lighting = Lighting(load(find("hexhex-5")), settings, lambda scene: scene, None)

    def pressed() -> int:
        lighting.brighten()
        return lighting.settings.brightness

    assert [pressed() for _ in range(4)] == [100, 7, 40, 100]
    lighting.adjust(Lights(50, calm=True))
    assert (pressed(), pressed(), lighting.settings.calm) == (100, 7, True)
    assert (lighting.tick(23 * 60), pressed()) == (True, 40)  # it holds until the night ends
    assert (lighting.tick(23 * 60 + 1), lighting.settings.brightness) == (False, 40)


def test_what_is_told_already_wakes_nobody() -> None:
    woken: list[int] = []
    notices = Notices((), lambda: woken.append(1))
    notices.tell("mistake", message("daemon.mistake", file="a"))
    notices.changed = False
    notices.tell("mistake", message("daemon.mistake", file="a"))
    assert (notices.changed, len(woken)) == (False, 1)
    notices.tell("mistake", message("daemon.mistake", file="b"))
    assert (notices.changed, len(woken)) == (True, 2)
