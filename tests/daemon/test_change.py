"""A change of game, in this process: what waits, goes or comes just then."""

import gc
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from weakref import ref

import msgspec
import pytest
from msgspec.structs import replace

from hexboard.board import find, load
from hexboard.daemon import Daemon, Run, front
from hexboard.daemon.match import Match
from hexboard.daemon.mending import Mending
from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening
from hexboard.daemon.service import Service
from hexboard.devices.mailbox import Mailbox
from hexboard.facts import Declare, Presence, Resume, Ruling
from hexboard.record.journal import Journal
from hexboard.settings import LinkSettings, Settings
from hexboard.simulator.twin import Twin
from hexboard.web.keys import HOST, Keys
from hexboard.web.requests import FromPage, New
from tests.evening import Evening, go
from tests.running import Page, eventually

SETTINGS = Settings()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda board, game, settings=SETTINGS, simulate=False, **options: go(
            stack,
            Run(
                load(find(board)),
                tmp_path,
                settings,
                game,
                options,
                port=0,
                simulate=simulate,
                speed=20,
            ),
        )


def test_of_two_hosts_who_choose_at_once_one_begins_and_the_other_is_told(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexalma")
    ann, ben = at.page, at.look()
    mailbox = at.daemon.mailbox
    with mailbox._ready:  # neither is heard before the other
        for page, game in (("page 1", "hexel"), ("page 2", "bad-santa-cross")):
            match = at.daemon.match.name
            mailbox.ask(FromPage(page, -1, New(game=game, match=match), HOST))
    assert "somebody else has begun a game: Hex'el" in ben.refusal()
    for host in (ann, ben):
        host.until(lambda s: s["game"] == "hexel")
    assert not ann.refused


def test_how_people_want_their_lights_holds_in_the_next_game(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexalma")
    at.page.send("lights", brightness=5, calm=True)
    at.page.until(lambda s: s["lights"]["brightness"] == 5)
    at.page.send("new", game="hexel", match=at.page.state["match"])
    at.page.until(lambda s: s["game"] == "hexel")
    lights = at.page.state["lights"]
    assert (lights["brightness"], lights["calm"]) == (5, True)


def test_where_neither_game_can_begin_the_one_before_goes_on_once_the_folder_is_there_again(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening("hexhex-5", "hexalma")
    match, away = at.page.state["match"], tmp_path.with_name("away")
    tmp_path.rename(away)
    at.page.send("new", game="hexel", match=match)
    assert "cannot be opened" in at.page.refusal()
    away.rename(tmp_path)
    at.page.until(lambda s: any("Hex'el could not begin" in it for it in s["notices"]))
    assert at.page.state["match"] == match


@pytest.mark.long
def test_what_a_match_leaves_is_gone_once_the_next_has_begun(
    evening: Callable[..., Evening],
) -> None:
    """Its parts refer to each other. Nobody else collects them here, as in an evening of hours."""
    at = evening("hexhex-5", "hexalma")
    at.act("b3-c3")
    match, ledger = at.page.state["match"], ref(at.daemon.match._transcript._ledger)
    gc.collect()
    gc.disable()
    try:
        at.page.send("new", match=match)
        at.page.until(lambda s: s["match"] != match)
        assert eventually(lambda: ledger() is None)
    finally:
        gc.enable()


def seated(at: Evening, seat: int) -> str:
    """What the cookie of a phone holds that was given this seat."""
    keys = at.daemon.pages.server.keys
    return keys.accept(keys.invite(seat).secret, "Ben", "", 0.0)


def choose(at: Evening, game: str, how: str = "book") -> None:
    """The host chooses a game, until that is played."""
    at.page.send("new", game=game, how=how, match=at.page.state["match"])
    at.page.until(lambda s: s["game"] == game)


def test_an_open_question_is_void_and_nothing_is_ruled_when_the_game_is_gone_back_to(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexalma", Settings(takeback="agreed"))
    at.act("b3-c3")
    played = at.page.state["match"]
    at.daemon._post("page 2/0", Ruling("undo", "Ann", seats=(0,)))
    at.page.until(lambda s: s["question"])
    choose(at, "bad-santa-cross")
    assert not at.page.state["question"]
    choose(at, "hexalma", "on")
    told = at.page.state
    assert (told["match"], told["question"], at.entries) == (played, None, 1)
    assert told["resume"]["text"].startswith("This game goes on where it was left.")
    at.page.rule("right")
    at.page.until(lambda s: not s["resume"])
    at.daemon._post("page 2/0", Ruling("undo", "Ann", seats=(0,)))
    at.page.until(lambda s: s["question"])


def test_a_phone_that_wakes_in_the_middle_of_a_change_comes_to_the_new_game_without_an_error(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    secret = seated(at, 1)
    asleep, gone = at.look(secret), at.look(secret)
    gone.socket.close()
    woken: list[Page] = []
    healthy = Service.open

    def open_late(service: Service, mailbox: Mailbox[FromPage]) -> None:
        woken.append(at.look(secret))
        healthy(service, mailbox)

    monkeypatch.setattr(Service, "open", open_late)
    choose(at, "hexel")
    for phone in (asleep, *woken, at.look(secret)):
        phone.until(lambda s: s["game"] == "hexel" and s["match"] == at.page.state["match"])
        phone.send("new")  # whatever was refused before, it hears first
        assert phone.refusal() == "Only the host can do that."
    assert len(woken) == 1


def up(state: dict[str, Any]) -> bool:
    """Whether the board is connected."""
    return any(link["source"] == "pico" and link["up"] for link in state["links"])


@pytest.mark.long
def test_a_game_begins_on_a_board_that_is_unplugged_and_works_once_it_is_back(
    evening: Callable[..., Evening],
) -> None:
    with Twin(0, 121) as twin:
        wired = Settings(link=LinkSettings(port=twin.port))
        at = evening("rhombus-11", "bad-santa-hex", wired)
        at.page.until(up)
        twin.unplug()
        choose(at, "bad-santa-y")
        at.page.until(lambda s: [link["up"] for link in s["links"]] == [False])
        assert "is its USB cable in?" in at.page.state["log"][-1]["text"]
        twin.plug()
        at.page.until(up)
        at.act("a1")


@pytest.mark.long
def test_a_roll_that_is_asked_about_is_not_ruled_when_its_game_is_gone_back_to(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hextraction-22", "hextraction", Settings(settle_ms=3000), simulate=True)
    at.page.ready()
    before, tiles = at.entries, at.page.state["own"]["slots"]
    at.page.hand("drop", "B1-6")
    eventually(lambda: not at.daemon.view.quiet)
    at.daemon._post("pico", Presence(False, "the cable"))
    at.page.until(lambda s: s["question"])
    choose(at, "hexalma")
    choose(at, "hextraction", "on")
    assert not at.page.state["question"]
    assert (at.entries, at.page.state["own"]["slots"]) == (before, tiles)
    assert "roll again" in at.page.state["resume"]["text"]
    latest = at.daemon.pages.server.pages.latest
    eventually(lambda: latest["balls"][-1, ""] == '{"type":"balls","balls":[]}')
    at.page.rule("right")
    at.page.ready()


@pytest.mark.long
def test_whenever_a_change_is_killed_one_of_the_two_matches_is_played_next_and_none_is_lost(
    evening: Callable[..., Evening],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What would lie on the disk then is copied before and after each step that writes."""
    at = evening("hexhex-5", "hexalma")
    at.act("b3-c3")
    played = at.page.state["match"]
    copies: list[Path] = []

    def kill() -> None:
        copies.append(tmp_path_factory.mktemp("killed") / "state")
        shutil.copytree(tmp_path, copies[-1], ignore=shutil.ignore_patterns("recordings"))

    def killed_at(of: object, name: str) -> None:
        healthy = getattr(of, name)

        def killed(*given: Any, **named: Any) -> Any:
            kill()
            done = healthy(*given, **named)
            kill()
            return done

        monkeypatch.setattr(of, name, killed)

    for name in ("begin", "close"):
        killed_at(Journal, name)
    for name in ("journal", "keep"):
        killed_at(Mending, name)
    for name in ("__init__", "close"):
        killed_at(Match, name)
    killed_at(front, "lend")
    choose(at, "hexel")
    choose(at, "hexalma", "on")
    at.page.until(lambda s: s["resume"])
    monkeypatch.undo()
    assert len(copies) > 20
    for copy in copies:
        cold = replace(at.daemon.run_, state=copy, chosen=False, typed=False)
        cold = replace(cold, game="bad-santa-cross")
        played_next = front.left_off(cold)
        assert played_next.game in ("hexalma", "hexel")
        for run in (played_next, front.going_on(cold, "hexalma")):
            assert run is not None
            opening = Opening(run, run.board, Notices([], lambda: None))
            with closing(opening.journal()) as journal:
                begun = opening.begin(journal)
            assert isinstance(begun, Resume)
            if run.game == "hexalma":
                assert (begun.start.match, len(begun.entries)) == (played, 1)


def test_who_holds_a_seat_that_the_next_game_lacks_watches_it_and_has_it_again_after_that(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexel", seats=3)
    secret = seated(at, 2)
    asleep = at.look(secret)
    choose(at, "hexalma")
    for phone in (asleep, at.look(secret)):
        phone.until(lambda s: s["game"] == "hexalma")
        phone.send("new")
        assert phone.refusal() == "Only the host can do that."
        phone.send("declare", seat=-1, action="b3-c3")
        assert phone.refusal().startswith("You are watching")
    choose(at, "hexel", "on")
    at.page.rule("right")
    at.page.until(lambda s: not s["resume"])
    asleep.until(lambda s: s["game"] == "hexel" and not s["resume"])
    asleep.send("declare", seat=-1, action="redraw")
    assert asleep.refusal() == "It is not your turn."


def test_names_said_at_the_door_are_those_of_who_plays_though_a_phone_that_left_has_the_seat(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexalma")
    for seat in (0, 1):
        seated(at, seat)
    at.page.until(lambda s: "Ben" in s["seats"][0] and "Ben" in s["seats"][1])
    anna = ["\u2068Anna\u2069", "\u2068Bert\u2069"]
    match = at.page.state["match"]
    at.page.send("new", game="hexalma", match=match, names=["Anna", "Bert"])
    at.page.until(lambda s: s["match"] != match and s["seats"] == anna)
    match = at.page.state["match"]
    at.page.send("new", game="bad-santa-cross", match=match, names=["Ann", "Ben"])
    at.page.until(lambda s: s["seats"] == ["\u2068Ann\u2069", "\u2068Ben\u2069"])
    keys = at.daemon.pages.server.keys
    assert eventually(lambda: [it.name for it in keys.people] == ["Ann", "Ben"])
    match = at.page.state["match"]
    at.page.send("new", game="bad-santa-cross", match=match, names=["Anna", "anna"])
    at.page.until(lambda s: s["seats"] == ["\u2068Anna\u2069", "\u2068anna 2\u2069"])
    assert eventually(lambda: [it.name for it in keys.people] == ["Anna", "anna 2"])
    keys.accept(keys.invite(0).secret, "Cy", "", 0.0)  # a phone names itself anew
    at.page.until(lambda s: s["seats"] == ["\u2068Cy\u2069", "\u2068anna 2\u2069"])
    assert msgspec.json.decode(at.daemon.pages.server.front())["names"] == ["Cy", "anna 2"]


def sat_down(at: Evening, *names: str) -> Keys:
    """The keys once each of these has sat down with a phone."""
    keys = at.daemon.pages.server.keys
    for seat, name in enumerate(names):
        keys.accept(keys.invite(seat).secret, name, "", 0.0)
    return keys


def test_a_new_match_that_the_disk_refuses_moves_no_phone_to_another_seat(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexalma")
    keys = sat_down(at, "Anna", "Ben")
    before, match = keys.people, at.page.state["match"]
    at.full(True)
    drawn: dict[str, Any] = {"names": ["Ben", "Anna"], "colours": [1, 2]}
    at.page.send("new", game="hexalma", match=match, **drawn)
    assert at.page.refusal()
    at.look()  # the keys' own thread has done what it was asked before
    assert (keys.people, at.daemon.match.name) == (before, match)
    at.full(False)
    at.page.send("new", game="hexalma", match=match, **drawn)
    assert eventually(lambda: [it.seats for it in keys.people] == [(1,), (0,)])


def test_a_game_that_cannot_begin_moves_no_phone_to_another_seat_in_the_one_before(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("hexhex-5", "hexalma")
    keys = sat_down(at, "Anna", "Ben")
    before, match = keys.people, at.page.state["match"]
    healthy = Daemon._devices

    def devices(daemon: Daemon, stack: ExitStack) -> None:
        if daemon.run_.game == "hexel":
            raise OSError("no descriptors")
        healthy(daemon, stack)

    monkeypatch.setattr(Daemon, "_devices", devices)
    at.page.send("new", game="hexel", match=match, names=["Ben", "Anna"], colours=[1, 2])
    at.page.until(lambda s: any("Hex'el could not begin" in it for it in s["notices"]))
    assert (keys.people, at.page.state["match"]) == (before, match)


def test_no_phone_and_nobody_at_the_door_is_called_as_another_seat(
    evening: Callable[..., Evening],
) -> None:
    at = evening("hexhex-5", "hexel", seats=2)
    keys = at.daemon.pages.server.keys
    keys.accept(keys.invite(0).secret, "White", "", 0.0)
    at.page.until(lambda s: s["seats"][0] == "\u2068White\u2069")
    match = at.page.state["match"]
    at.page.send("new", game="hexalma", match=match, names=["", "Schwarz"])
    at.page.until(lambda s: s["game"] == "hexalma" and s["seats"] == ["Black", "White"])
    keys.accept(keys.invite(0).secret, "white", "", 0.0)
    assert keys.people[-1].name == ""


def test_what_was_meant_for_the_game_before_is_not_played_in_the_next(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = evening("rhombus-11", "bad-santa-hex")
    healthy = Daemon._devices

    def devices(daemon: Daemon, stack: ExitStack) -> None:  # pages show the game before
        daemon.pages.server.pages.take(FromPage("page 1", -1, Declare(-1, "a1"), HOST))
        healthy(daemon, stack)

    monkeypatch.setattr(Daemon, "_devices", devices)
    choose(at, "bad-santa-y")
    assert at.page.refusal() == "Another game begins: that was not heard."
    assert at.entries == 0


def test_what_was_on_its_way_as_the_next_game_began_is_answered(
    evening: Callable[..., Evening],
) -> None:
    """It came into a mailbox that nobody emptied any more."""
    at = evening("rhombus-11", "bad-santa-hex")
    match, on_its_way = at.page.state["match"], at.daemon.pages.server.pages.take
    choose(at, "bad-santa-y")
    at.page.until(lambda s: s["match"] != match)
    assert on_its_way(FromPage("page 1", -1, Declare(-1, "a1"), HOST, match))
    assert at.page.refusal().startswith("Another match has begun meanwhile")
    assert at.entries == 0
