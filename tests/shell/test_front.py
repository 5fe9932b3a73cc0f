"""The front door through the real command: choosing, going on, and what can go wrong meanwhile."""

import json
import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.running import (
    HEXBOARD,
    PATIENCE,
    Page,
    Running,
    Served,
    alive,
    children,
    eventually,
    hexboard,
)
from tests.strangers import keep, one_file

Start = Callable[..., Running]


def front(running: Running) -> dict[str, Any]:
    """What the page of a host is told of the games that there are."""
    asked = urllib.request.Request(f"{running.origin}/front", headers={"Cookie": running.cookie})
    with urllib.request.urlopen(asked) as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def offers(running: Running) -> dict[str, Any]:
    return {game["name"]: game for game in front(running)["games"]}


def choose(page: Page, game: str, how: str = "book", **more: Any) -> None:
    """Choose a game, and wait until it is played and its board is there."""
    before = page.state["match"]
    page.send("new", game=game, how=how, match=before, **more)
    page.until(lambda s: s["match"] != before and s["game"] == game)


def move(page: Page, action: str) -> None:
    said = page.state["log"][0]["n"] if page.state["log"] else 0
    page.send("declare", seat=-1, action=action)
    page.until(lambda s: s["log"] and s["log"][0]["n"] > said and s["log"][0]["final"])


NAMED = ["\u2068Anna <b>\u2069", "\u2068Bo\u2069"]
"""What two players are called who said so; marks that turn text are dropped."""


def lying(page: Page) -> set[str]:
    """The cells in which something lies."""
    return {place for place, kind, *_ in page.state["pieces"] if kind != "hole"}


@pytest.mark.long
def test_another_game_begins_on_the_same_page_and_the_one_before_goes_on(start: Start) -> None:
    running = start(front=True)
    with running.page() as page:
        assert page.state["front"]
        assert page.state["game"] == "hextraction"
        assert page.state["board"] == "Hextraction, 22 slots"  # as its file is titled
        people = {"names": ["Anna <b>\u202e", "Bo"], "colours": [3, -1]}
        choose(page, "bad-santa-hex", "first", options={"first": "white"}, **people)
        assert page.state["seats"] == NAMED
        assert page.state["people"] == [["Black", 3], ["White", -1]]
        assert not page.state["front"]
        assert page.state["position"] == "/".join(["." * 7] * 7) + " W 1"  # 7 a side, White begins
        move(page, "a1")
        hex_match = page.state["match"]
        choose(page, "hexalma")
        page.until(lambda s: any(link["source"] == "pico" and link["up"] for link in s["links"]))
        told = offers(running)
        assert "1" in told["bad-santa-hex"]["left"]
        assert told["bad-santa-hex"]["presets"]["house"]["first"] == "white"
        assert not told["hexalma"]["left"]
        assert page.state["board"] == "Hexagon of 61 cells"
        assert page.state["seats"] == ["Black", "White"]
        choose(page, "bad-santa-hex", "on")
        assert page.state["seats"] == NAMED
        assert page.state["match"] == hex_match
        assert lying(page) == {"a1"}
        page.send("new", game="hexel", match="of yesterday")
        assert "Bad Santa Hex" in page.refusal()
        for fields, why in (
            ({"game": "nix"}, "no game “nix”"),
            ({"game": "hexel", "options": {"seats": 9}}, "1 to 6"),
            ({"game": "hexel", "options": {"deck": "/etc/passwd"}}, "Option deck"),
            ({"game": "knee-deep", "how": "on"}, "no match of Knee Deep"),
        ):
            page.send("new", **fields)
            assert why in page.refusal()
        assert page.state["match"] == hex_match
        page.send("new")
        page.until(lambda s: s["match"] != hex_match)
        assert page.state["seats"] == NAMED


@pytest.mark.long
def test_a_kill_between_two_games_loses_neither(start: Start) -> None:
    running = start(front=True)
    with running.page() as page:
        choose(page, "hexalma")
        move(page, "a1-b1")
        page.send("new", game="bad-santa-hex", match=page.state["match"])
        running.end(signal.SIGKILL)
    eventually(lambda: not alive(running.pid))
    running = start(front=True)
    with running.page() as page:
        assert page.state["game"] in ("hexalma", "bad-santa-hex")
        assert not page.state["front"]
        if page.state["game"] != "hexalma":
            choose(page, "hexalma", "on")
        assert "b1" in lying(page)
        page.rule("right")
        choose(page, "bad-santa-hex", "first", names=["", "Bo"])
        move(page, "b1")
        match = page.state["match"]
    running.end(signal.SIGKILL)
    eventually(lambda: not alive(running.pid))
    running = start(front=True)
    with running.page() as page:
        assert page.state["match"] == match
        assert page.state["seats"] == ["Black", NAMED[1]]
        assert lying(page) == {"b1"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("stage=lambda: 1 // 0,", "ZeroDivisionError"),
        ("table=lambda b, s: 1 // 0,", "ZeroDivisionError"),
        ("page=PagePart(shows=lambda: 7),", "declares Shown and gives int"),
    ],
)
def test_a_strangers_game_that_breaks_as_it_begins_is_named_and_the_old_match_goes_on(
    start: Start, home: Path, wrong: str, why: str
) -> None:
    keep(home, "grim", one_file("grim").replace("touched=Span,", f"touched=Span, {wrong}"))
    running = start("--game", "hexalma")
    with running.page() as page:
        move(page, "a1-b1")
        match = page.state["match"]
        page.send("new", game="grim")
        page.until(lambda s: any("grim" in notice.lower() for notice in s["notices"]))
        assert why in " ".join(page.state["notices"])
        assert page.state["match"] == match
        assert "b1" in lying(page)
        page.rule("right")
        page.until(lambda s: not s["resume"])
        page.send("declare", seat=-1, action="i5-h4")
        page.until(lambda s: "h4" in lying(page))


@pytest.mark.long
def test_a_board_plays_its_own_games_only_and_says_why_not_the_others(start: Start) -> None:
    running = start("rhombus-11", simulate=False, front=True)
    told = offers(running)
    assert {name for name, game in told.items() if not game["why"]} == {
        "bad-santa-hex",
        "bad-santa-y",
    }
    assert "hexhex-5" in told["hexalma"]["why"]
    assert "first" not in told["bad-santa-hex"]["presets"]  # 7 cells a side are another board
    with running.page() as page:
        assert not page.state["front"]  # the board named is made for a game
        page.send("new", game="hexalma")
        assert "hexhex-5" in page.refusal()


@pytest.mark.long
def test_a_page_of_before_begins_anew_and_only_hosts_are_told_of_games(start: Start) -> None:
    running = start("--game", "hexalma")
    with running.page() as page:
        match = page.state["match"]
        page.send("new")
        page.until(lambda s: s["match"] != match)
        page.send("new", colour="red")
        assert page.refusal()
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{running.origin}/front")
    refused.value.close()
    assert refused.value.code == 403


def got(running: Running, path: str, cookie: str) -> tuple[int, Any, str]:
    asked = urllib.request.Request(f"{running.origin}{path}", headers={"Cookie": cookie})
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


@pytest.mark.long
def test_the_game_before_is_watched_again_by_hosts_alone(start: Start) -> None:
    running = start("--game", "hexalma", "--lan")
    with running.page() as page:
        move(page, "a1-b1")
        page.send("declare", seat=-1, action="resign black")
        page.until(lambda s: s["phase"] == "over")
        choose(page, "bad-santa-hex", "first")
    (again,) = front(running)["again"]
    assert (again["title"], again["outcome"]) == ("HexAlma", "White wins.")
    there = f"/again/{again['name']}"

    def made() -> tuple[int, Any, str] | None:
        answer = got(running, there, running.cookie)
        assert answer[0] == 200 or (answer[0], answer[1]["Refresh"]) == (202, "2")
        return answer if answer[0] == 200 else None

    _, headers, text = eventually(made)
    assert "sandbox allow-scripts; default-src 'none'" in headers["Content-Security-Policy"]
    assert "<title>HexAlma" in text
    assert got(running, f"/again/{again['name']}", "")[0] == 403
    assert got(running, "/again/..%2Ftoken", running.cookie)[0] == 404


@pytest.mark.long
def test_other_options_of_the_same_game_begin_on_the_board_as_it_is_and_are_proved(
    start: Start,
) -> None:
    running = start("--game", "hexel", "--option", "chips=off")
    with running.page() as page:
        page.until(lambda s: any(link["up"] for link in s["links"]))
        before = page.state["match"]
        choose(page, "hexel", options={"seats": 3})
        assert len(page.state["seats"]) == 3
        assert any(link["up"] for link in page.state["links"])  # nothing was let go
    assert list(running.folder.glob(f"recordings/{before}*.sealed")) == []


@pytest.mark.long
def test_the_clock_is_chosen_with_a_game_stays_and_is_put_away(start: Start) -> None:
    running = start("--game", "hexalma", "--clock", "20")
    assert front(running)["clock"] == "20"
    with running.page() as page:
        choose(page, "hexalma", clock="3+2")
        assert page.state["clock"] == {"left": [180_000, 180_000], "running": -1}
        choose(page, "hexalma")
        assert page.state["clock"]["left"] == [180_000, 180_000]
        page.send("new", game="hexalma", match=page.state["match"], clock="soon")
        assert "“soon” is no clock" in page.refusal()
        choose(page, "hexalma", clock="")
        assert page.state["clock"] is None


@pytest.mark.long
def test_a_game_that_is_left_in_mid_roll_goes_on_from_before_the_roll(start: Start) -> None:
    running = start(speed=0.3)
    with running.page() as page:
        page.ready()
        tiles = page.state["own"]["slots"]
        page.hand("drop", "B1-6")
        page.until(lambda s: s["phase"] in {"rolling", "asking"})  # asked at once by a starved Pico
        choose(page, "hexalma")
        assert page.state["notices"] == []
        choose(page, "hextraction", "on")
        assert page.state["resume"]
        page.rule("right")
        page.until(lambda s: s["phase"] == "idle")
        assert page.state["own"]["slots"] == tiles
        assert not page.state["own"]["balls"]
        page.ready()
        page.roll("B1-1")
    (kept, *_) = running.recordings()
    running.end()
    assert "the same rulings" in hexboard("replay", kept).stdout


@pytest.mark.long
@pytest.mark.parametrize("out", ["pipe", "terminal", "none"])
def test_the_games_go_on_when_nobody_reads_the_terminal_any_more(
    tmp_path: Path, home: Path, out: str
) -> None:
    """`hexboard run | head -1`; `hexboard run &`, and the ssh session ends; `hexboard run >&-`."""
    reads, writes = os.openpty() if out == "terminal" else os.pipe()
    shell = ("sh", "-c", 'exec "$@" >&-', "-") if out == "none" else ()
    command = (*shell, *HEXBOARD, "--home", str(home))
    with subprocess.Popen(
        [*command, "run", "--simulate", "--port", "0", "--state", str(tmp_path)],
        stdin=subprocess.DEVNULL,
        stdout=writes,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        os.close(writes)
        try:
            while out != "none" and b"Ctrl-C" not in os.read(reads, 1 << 16):
                pass
            os.close(reads)
            eventually(lambda: (tmp_path / "link.json").exists() or process.poll() is not None)
            link = json.loads((tmp_path / "link.json").read_bytes())["here"]
            with Served(link).page() as page:
                choose(page, "hexalma")
                move(page, "a1-b1")
                choose(page, "bad-santa-hex")
                page.until(lambda s: _pico(s) is True)
                (firmware,) = children(process.pid)
                os.kill(firmware, signal.SIGKILL)
                page.until(lambda s: _pico(s) is False)
                page.until(lambda s: _pico(s) is True)
                assert page.state["game"] == "bad-santa-hex"
            process.terminate()
            assert process.communicate(timeout=PATIENCE)[1] == ""
            assert process.returncode == 0
        finally:
            process.kill()


def _pico(state: dict[str, Any]) -> bool | None:
    return next((it["up"] for it in state["links"] if it["source"] == "pico"), None)


@pytest.mark.long
def test_a_match_of_other_options_than_the_settings_name_goes_on_unless_others_are_typed(
    start: Start, home: Path
) -> None:
    set_to = 'board = "hexhex-5"\ngame = "hexalma"\n[options]\nrepetition = "draw3"\n'
    (home / "settings.toml").write_text(set_to, "utf-8")
    running = start(front=True)
    with running.page() as page:
        assert not page.state["front"]
        choose(page, "hexalma", options={"repetition": "off"})
        match = page.state["match"]
        for action in ("b3-c3", "h5-g5", "c3-d4"):
            move(page, action)
        position = page.state["position"]
    running.end()
    for typed in ((), ("hexhex-5",)):
        running = start(*typed, front=True)
        with running.page() as page:
            assert not page.state["notices"]
            assert (page.state["match"], page.state["position"]) == (match, position)
        running.end()
    running = start("--option", "repetition=draw3", front=True)
    with running.page() as page:
        assert any("other options" in notice for notice in page.state["notices"])
        assert page.state["match"] != match


@pytest.mark.long
def test_a_port_that_another_program_has_ends_it_with_a_sentence_though_a_match_was_left(
    start: Start, home: Path, tmp_path: Path
) -> None:
    running = start(front=True)
    with running.page() as page:
        choose(page, "hexalma")
        move(page, "a1-b1")
    running.end()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        asked = "--home", home, "run", "--simulate", "--state", tmp_path / "state"
        done = hexboard(*asked, "--port", port)
    assert done.returncode
    assert str(port) in done.stderr
