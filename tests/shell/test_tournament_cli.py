"""`hexboard tournament` as people run it, with a hub, a board and a real NATS server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hexboard.daemon.hall.tournament import begun, next_round, resulted, text
from hexboard.record.trf import HallOf, write_trf
from tests.cli import invoke
from tests.hall import Nats
from tests.running import Page, Running, eventually, free_port, hexboard
from tests.shell.test_front import move
from tests.shell.test_hub_cli import HubRunning, hubs, nats, told_of

__all__ = ["hubs", "nats"]  # fixtures
Start = Callable[..., Running]


@pytest.fixture
def ran(tmp_path: Path) -> Callable[..., str]:
    """`ran("pair", ...)`: what `hexboard tournament` says of the file `evening.trf`."""

    def run(command: str, *words: object, code: int = 0) -> str:
        file = tmp_path / "evening.trf"
        done = hexboard("--home", tmp_path, "tournament", command, file, *words)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout or done.stderr

    return run


@pytest.mark.long
def test_an_evening_by_hand_from_the_first_round_to_the_table(ran: Callable[..., str]) -> None:
    assert "a tournament of 5 people and 3 rounds." in ran(
        "new", "Ann", "Ben", "Cem", "Dora", "Eva"
    )
    assert "is there already" in ran("new", "Ann", "Ben", code=1)
    assert ran("show").startswith("No round is paired yet.\n\nAfter 0 rounds\n")
    assert ran("pair").splitlines() == [
        "Round 1 of 3",
        "  1  Ann – Cem",
        "  2  Dora – Ben",
        "     Eva has nobody to meet (bye)",
    ]
    ran("result", 1, "1-0")
    assert "results are missing at table 2." in ran("pair", code=1)
    assert "Round 1 has no pairing 3." in ran("result", 3, "1-0", code=1)
    ran("result", "--", 2, "-+")
    ran("result", 2, "1/2")
    assert ran("show").splitlines()[4:] == [
        "",
        "After 1 round",
        "Place  Name  Points  Buchholz  Sonneborn-Berger",
        "1      Eva   1       0.5       0.5",
        "2      Ann   1       0         0",
        "3      Ben   0.5     0.5       0.25",
        "3      Dora  0.5     0.5       0.25",
        "5      Cem   0       1         0",
    ]
    assert ran("leave", "Cem") == "Cem is not paired from the next round on.\n"
    assert ran("join", "Finn") == "Finn plays from the next round on, as number 6.\n"
    assert "Two people are called finn" in ran("join", "finn", code=1)
    ran("leave", "Finn")
    told = json.loads(ran("pair", "--json"))
    assert (told["round"], told["absent"], told["after"]) == (2, ["Cem", "Finn"], 1)
    assert {seat for it in told["pairings"] for seat in it["seats"]} == {
        "Ann",
        "Ben",
        "Dora",
        "Eva",
    }


@pytest.mark.long
def test_what_cannot_be_is_a_sentence(ran: Callable[..., str], tmp_path: Path) -> None:
    assert "evening.trf cannot be read: No such file or directory." in ran("show", code=1)
    assert "Two people are called Ann" in ran("new", "Ann", "Ann", code=1)
    assert "leave out --rounds" in ran("new", "A", "B", "--round-robin", "--rounds", 2, code=2)
    assert "“a.b” is no name of one board" in ran("new", "A", "B", "--board", "a.b", code=1)
    ran("new", "Ann", "Ben", "--board", "one")
    nowhere = f"nats://127.0.0.1:{free_port()}"
    said = ran("pair", "--hall", nowhere)
    assert f"The hall's NATS at {nowhere} is not there" in said
    assert "The round is paired all the same. Enter its results by hand" in said
    (tmp_path / "evening.trf").write_bytes(b"\xff\xfe")
    assert "is no text in UTF-8" in ran("show", code=1)
    (tmp_path / "evening.trf").write_text("012 Evening\n062 8\n001 ", "utf-8")
    assert "evening.trf:3: this is no player's line" in ran("show", code=1)


def as_json(*words: object) -> dict[str, Any]:
    done = invoke("tournament", *words, "--json")
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_json_has_the_round_that_was_asked_for_and_what_was_said(tmp_path: Path) -> None:
    file = tmp_path / "evening.trf"
    trf = next_round(begun("Evening", list("ABCD"), 3, False, HallOf("", ("one",)), ""), {})
    for table in (1, 2):
        trf = resulted(trf, 1, table, "1-0")
    write_trf(file, text(trf))
    told = as_json("pair", file, "--hall", f"nats://127.0.0.1:{free_port()}")
    assert told["round"] == 2
    assert [note.partition(" ")[0] for note in told["notes"]] == ["The", "The"]
    assert "Enter its results by hand" in told["notes"][1]
    told = as_json("show", file, "--round", 1)
    assert (told["round"], [it["result"] for it in told["pairings"]]) == (1, ["1-0", "1-0"])
    assert as_json("show", file)["round"] == 2
    told = as_json("result", file, 1, "1/2", "--round", 1)
    assert (told["round"], [it["result"] for it in told["pairings"]]) == (1, ["½-½", "1-0"])


@pytest.mark.long
def test_a_german_hears_german(ran: Callable[..., str], tmp_path: Path) -> None:
    ran("new", "Ann", "Ben")
    words = ("--language", "de", "--home", tmp_path, "tournament", "show", tmp_path / "evening.trf")
    assert "Noch ist keine Runde gepaart.\n\nNach 0 Runden\nPlatz" in hexboard(*words).stdout
    help = hexboard("--language", "de", "tournament", "result", "--help").stdout
    assert "Trägt RESULT der Paarung TABLE ein oder berichtigt es" in help


@pytest.mark.long
def test_a_board_that_plays_to_the_end_fills_in_the_table(
    home: Path,
    start: Start,
    nats: Nats,
    ran: Callable[..., str],
    hubs: Callable[..., HubRunning],
    tmp_path: Path,
) -> None:
    told_of(home, nats)
    ran("new", "Ann", "Ben", "--game", "hexalma", "--board", "one", "--rounds", 1)
    hub = hubs(nats.url, "--tournament", tmp_path / "evening.trf")
    running = start("--game", "hexalma")
    with running.page() as page:
        move(page, "a1-b1")  # before the pairing
        eventually(lambda: "entry" in nats.told()[-1][2])
        assert ran("pair", "--hall", nats.url) == "Round 1 of 1\n  1  Ann – Ben  one\n"
        gives_up(page)
        match = page.state["match"]
        page.send("new")
        page.until(lambda s: s["match"] != match)
        assert "1  Ann – Ben  one" in ran("show")
        hub.end()
        play(page)  # while no hub runs
    eventually(lambda: sum('"over"' in text for _, _, text in nats.told()) == 2)
    assert "1  Ann – Ben  one" in ran("show")
    hub = hubs(nats.url, "--tournament", tmp_path / "evening.trf")
    eventually(lambda: "1  Ann – Ben  0-1  one" in ran("show"), 0.5)
    assert ran("show").splitlines()[-2:] == [
        "1      Ben   1       0         0",
        "2      Ann   0       1         0",
    ]
    code, said = hub.end()
    assert (code, "Traceback" in said) == (0, False)


@pytest.mark.long
def test_a_game_that_stands_there_dealt_and_untouched_is_the_pairings(
    home: Path, start: Start, nats: Nats, ran: Callable[..., str], hubs: Callable[..., HubRunning]
) -> None:
    told_of(home, nats)
    running = start("--game", "hexel")
    eventually(lambda: sum('"entry"' in text for _, _, text in nats.told()) > 1)  # cards dealt
    eventually(lambda: '"fresh":0' in nats.told("HEXBOARD_NOW")[-1][2])
    ran("new", "Ann", "Ben", "--game", "hexel", "--board", "noe", "--rounds", 1)
    said = ran("pair", "--hall", nats.url).splitlines()
    assert said[1] == "  1  Ann – Ben"
    assert said[2].startswith("The hall has never heard of noe.")
    assert said[2].endswith("these it knows: one")
    assert ran("board", 1, "one", "--hall", nats.url).endswith("  1  Ann – Ben  one\n")
    with running.page() as page:
        page.send("curtain", side=0)
        page.until(lambda s: s["side"] == 0)
        page.send("declare", seat=0, action="concede 0")
        page.until(lambda s: s["phase"] == "over")
    hubs(nats.url, "--tournament", home.parent / "evening.trf")
    eventually(lambda: "1  Ann – Ben  0-1  one" in ran("show"), 0.5)


@pytest.mark.long
def test_a_board_whose_settings_allow_no_starts_does_not_hear_of_them(
    home: Path, start: Start, nats: Nats, ran: Callable[..., str]
) -> None:
    told_of(home, nats)
    start("--game", "hexalma")
    eventually(lambda: nats.told())
    ran("new", "Ann", "Ben", "--game", "hexalma", "--board", "one")
    ran("pair", "--hall", nats.url)
    said = ran("start", 1, "--hall", nats.url, code=1)
    assert "one does not answer: it is off, or its settings do not say" in said
    assert len(nats.told()) == 1


@pytest.mark.long
def test_the_hub_begins_a_pairings_game_on_a_board_that_lets_it(
    home: Path, start: Start, nats: Nats, ran: Callable[..., str]
) -> None:
    told_of(home, nats)
    settings = home / "settings.toml"
    settings.write_text(f"{settings.read_text('utf-8')}starts = true\n", "utf-8")
    at = ("--hall", nats.url)
    ran("new", "Ann", "Ben", "--game", "hexalma", "--board", "one", "--rounds", 1)
    running = start("--game", "hexalma")
    eventually(lambda: nats.told())
    ran("pair", *at)
    with running.page() as page:
        move(page, "a1-b1")
        eventually(lambda: sum('"entry"' in text for _, _, text in nats.told()) == 1)
        assert "one does not begin: A match goes on here: it is ended first." in ran(
            "start", 1, *at, code=1
        )
        page.send("declare", seat=-1, action="resign black")
        page.until(lambda s: s["phase"] == "over")
        match = page.state["match"]
        wrong = ran("start", 1, *at, "--option", "max_plies=many", code=1)
        assert "max_plies" in wrong
        assert "wing" in ran("start", 1, *at, "--option", "wing=1", code=1)
        assert ran("start", 1, *at, "--option", "max_plies=40") == "one begins: Ann – Ben.\n"
        page.until(lambda s: s["match"] != match)
        eventually(lambda: '"max_plies":40' in nats.told()[-1][2])
        assert [it.strip("\u2068\u2069") for it in page.state["seats"]] == ["Ann", "Ben"]
    assert "has no pairing 2" in ran("start", 2, *at, code=1)


def play(page: Page) -> None:
    """Black moves, and gives up: White wins."""
    move(page, "a1-b1")
    gives_up(page)


def gives_up(page: Page) -> None:
    """Black gives up: White wins."""
    page.send("declare", seat=-1, action="resign black")
    page.until(lambda s: s["phase"] == "over")
