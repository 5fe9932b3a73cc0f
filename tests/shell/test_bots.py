"""Programs that play seats of a keyboard's game, as docs/referee.md says."""

import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.commands import bots
from hexboard.commands.play import TerminalGame
from hexboard.game import registry
from hexboard.words.errors import BadText
from tests.running import hexboard

PAGE = Path(__file__).parents[2] / "docs" / "referee.md"
HEAD = """
import json, sys

def hear():
    line = sys.stdin.readline()
    print(line, end="", file=log, flush=True)
    return json.loads(line or sys.exit())

def say(**request):
    print(json.dumps(request), flush=True)
    return hear()
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    """The program that the page shows, as the page says to start it."""
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)[0]
    path = tmp_path / "bot.py"
    path.write_text(code, "utf-8")
    return f"{sys.executable} {path}"


def program(folder: Path, code: str) -> str:
    """A program that keeps what it hears in `heard`."""
    path = folder / "program.py"
    log = f"log = open({str(folder / 'heard')!r}, 'w')\n"
    path.write_text(log + HEAD + code, "utf-8")
    return f"{sys.executable} {path}"


SLOWER = ("hexalma", "bad-santa-hex", "knee-deep")


@pytest.mark.parametrize(
    "game",
    ["hexel", *(pytest.param(it, marks=pytest.mark.long) for it in SLOWER)],
)
def test_two_programs_play_a_game_to_its_end(bot: str, tmp_path: Path, game: str) -> None:
    record = tmp_path / "game.json"
    seats = ("--bot", f"1={bot}", "--bot", f"2={bot}")
    done = hexboard("play", game, *seats, "--seed", 3, "--record", record)
    assert done.returncode == 0, done.stderr
    assert "The game is over: " in done.stdout
    assert done.stderr == ""
    assert record.exists()


def test_people_play_against_a_program_and_take_back_their_own_moves(bot: str) -> None:
    typed = "b1-c1\nundo\nb1-c1\nposition\nquit\n"
    done = hexboard("play", "hexalma", "--bot", f"white={bot}", input=typed)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^White moves ", done.stdout.replace("discs. ", "\n"), re.M)) == 2
    (position,) = re.findall(r"discs\. ([^ \n]+/[^ \n]+) b ", done.stdout)
    assert position.endswith("/B6/1BBBBB/BBBBB"), position


def test_before_a_move_of_their_own_people_take_back_nothing_and_the_program_plays_on(
    bot: str,
) -> None:
    game = registry.find("hexalma")
    playing = TerminalGame(game, plain(game.board({})), {}, 1, None, bots=(f"black={bot}",))
    with closing(playing):
        playing.let_play()
        before = playing.match.entries[:]
        with pytest.raises(BadText, match="nothing to take back"):
            playing.take("undo")
        assert playing.match.entries == before
        here = playing.match.position
        playing.take(here.name(next(iter(here.legal))))
        playing.let_play()
        assert len(playing.match.entries) == len(before) + 2
        playing.take("undo")
        assert playing.match.position is here


def test_a_program_hears_only_what_its_seat_may_know_and_moves_for_no_other(tmp_path: Path) -> None:
    code = """
assert say(do="hello")["seat"] == 1
for asked in (
    dict(do="undo"), dict(do="load", position="x"), dict(do="view", seat=0),
    dict(do="legal", seat=0), dict(do="act", action="resign black"), dict(do="act", action="7"),
):
    assert not say(**asked)["ok"]
say(do="act", action=say(do="legal")["legal"][0])
"""
    given = ("--bot", f"2={program(tmp_path, code)}")
    done = hexboard("play", "hexalma", *given, input="b1-c1\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "White moves" in done.stdout
    heard = (tmp_path / "heard").read_text("utf-8")
    keys = re.findall(r'"key": "([a-z._]+)", "rule": "[^"]*", "reason"', heard)
    mine, there = "referee.not_yours", "referee.not_here"
    assert keys == [there, there, mine, mine, mine, "hexalma.no_action"]


@pytest.mark.long
def test_a_program_is_answered_in_english_whatever_people_speak(tmp_path: Path) -> None:
    code = 'say(do="act", action="d5-e5")\nsay(do="act", action=say(do="legal")["legal"][0])\n'
    given = ("--bot", f"2={program(tmp_path, code)}")
    done = hexboard("--language", "de", "play", "hexalma", *given, input="b1-c1\nquit\n")
    assert "Schwarz" in done.stdout
    assert "There is no disc on d5." in (tmp_path / "heard").read_text("utf-8")


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_no_byte_tells_a_program_a_card_of_the_other_side(tmp_path: Path, seed: int) -> None:
    """Knee Deep: no card that only the other's deck has, and that was never laid open."""
    code = f"""
import random
seat = say(do="hello")["seat"]
random.seed({seed} + seat)
asks = [dict(do=it) for it in ("state", "legal", "position", "scene")]
asks += [dict(do="legal", full=True), dict(do="view", seat=seat)]
told = say(do="subscribe", to=asks)
for moves in range(20):
    while told["answers"][0]["seat"] != seat:
        told = hear()
    say(do="act", action=random.choice(told["answers"][1]["legal"]))
    told = hear()
"""
    record, given = tmp_path / "game.json", list[str]()
    for seat in (0, 1):
        (tmp_path / str(seat)).mkdir()
        given += ["--bot", f"{seat + 1}={program(tmp_path / str(seat), code)}"]
    hexboard("play", "knee-deep", *given, "--seed", seed, "--record", record)
    game = registry.find("knee-deep")
    kept = TerminalGame(game, plain(game.board({})), {}, None, record)
    position: Any = kept.match.position
    decks = [set(part.split("=")[1].split("+")) for part in position.deck.split(";")]
    shown = {position.card(card).id for pile in position.discards for card in pile}
    for seat in (0, 1):
        heard = (tmp_path / str(seat) / "heard").read_text("utf-8")
        secret = decks[1 - seat] - decks[seat] - shown
        assert secret
        assert any(card in heard for card in decks[seat])
        assert not [card for card in secret if re.search(rf"\b{card}\b", heard)]


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("sys.exit(3)", "Play for White from now on: its program has ended (status 3)."),
        (
            'while True: say(do="act", action="resign black")',
            "Play for White from now on: its program was refused 100 moves in a row.",
        ),
    ],
    ids=["it ends", "it is refused"],
)
def test_a_program_that_does_not_play_is_played_for(tmp_path: Path, code: str, says: str) -> None:
    given = ("--bot", f"white={program(tmp_path, code)}")
    done = hexboard("play", "hexalma", *given, input="b1-c1\nh1-g1\nquit\n")
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    assert "White moves h1 to g1." in done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(99)",
        'import sys\nwhile 1: print(\'{"do": "legal", "full": true}\', flush=True)',
        "import os, time\nif os.fork(): os._exit(0)\ntime.sleep(99)",
    ],
    ids=["it is silent", "it asks and never reads", "what it has started holds its pipes"],
)
def test_a_program_that_takes_too_long_is_ended_and_played_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    monkeypatch.setattr(bots, "TURN_S", 1.0)
    path = tmp_path / "program.py"
    path.write_text(code, "utf-8")
    game = registry.find("hexalma")
    given = (f"black={sys.executable} {path}",)
    with closing(TerminalGame(game, plain(game.board({})), {}, None, None, bots=given)) as session:
        session.let_play()
        assert not session.automatic
    assert (
        "Play for Black from now on: its program has not moved for 1 s." in capsys.readouterr().out
    )


def test_a_program_that_follows_the_game_and_has_ended_holds_up_no_end(tmp_path: Path) -> None:
    code = 'say(do="subscribe", to=[dict(do="state")])\nsys.exit(3)'
    game = registry.find("hexalma")
    given = (f"white={program(tmp_path, code)}",)
    session = TerminalGame(game, plain(game.board({})), {}, None, None, bots=given)
    session.take("b1-c1")
    session.let_play()
    assert not session.automatic
    session.take("h1-g1")
    session.close()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("green=x", "No seat and program: green=x. Wanted is SEAT=COMMAND; the seats are Black, W"),
        ("white", "No seat and program: white."),
        ("white=", "No seat and program: white=."),
        ("white=no-such-program", "The program cannot be started: no-such-program ("),
        ("white='", "The program cannot be started: ' ("),
    ],
)
def test_a_program_that_cannot_be_is_refused(given: str, says: str) -> None:
    done = hexboard("play", "hexalma", "--bot", given)
    assert done.returncode == (2 if "Wanted" in done.stderr else 1)
    assert says in done.stderr
