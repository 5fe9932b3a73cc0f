"""Games and commands of strangers that go wrong while they are used: each is named in a sentence,
the match is kept, and other games go on."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hexboard.board import plain
from hexboard.game import registry
from tests.cli import invoke
from tests.evening import begin
from tests.running import hexboard
from tests.strangers import example, keep, lay_out, one_file, played

BOARD = plain("hexhex-4")
GRIM = """
class Grim(Span, frozen=True, eq=False):
    def at(self, cell):
        return self.cells[CELLS.index(cell)] != EMPTY
    {body}

Span = Grim
"""
"""A game that goes wrong once a disc lies on d4."""


def grim(body: str) -> str:
    """Span with another method: `self.at("d4")` says whether a disc lies there."""
    text = one_file("grim", GRIM.format(body=body))
    return text.replace("return Span(self", "return type(self)(self")


WRONG = {
    "scene raises": ("def scene(self):\n        return 1 // (not self.at('d4')) and ()", True),
    "scene is none": ("def scene(self):\n        return 7 if self.at('d4') else ()", True),
    "events raise": (
        "@property\n    def events(self):\n        return () if not self.at('d4') else 1 // 0",
        True,
    ),
    "play raises": (
        "def play(self, action):\n        if CELLS[action] == 'd4': 1 // 0\n"
        "        return super().play(action)",
        True,
    ),
    "legal raises": (
        "@property\n    def legal(self):\n        if self.at('d4'): 1 // 0\n"
        "        return super().legal",
        False,
    ),
    "pieces raise": (
        "def pieces(self):\n        if self.at('d4'): 1 // 0\n        return super().pieces()",
        False,
    ),
    "question is none": (
        "def question(self, seat):\n        return 7 if self.at('d4') else super().question(seat)",
        False,
    ),
}
"""Methods of a game that goes wrong, and whether its table crashes on that or only the page."""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    registry.look_in(tmp_path / "nothing")


def kept(home: Path, body: str) -> Path:
    path = keep(home, "grim", grim(body))
    registry.look_in(home)
    registry.look_in(home / "games")
    return path


def run(home: Path, *words: str, input: str = "") -> Any:
    return invoke(*words, home=home, input=input)


@pytest.mark.parametrize("what", WRONG)
def test_a_game_that_goes_wrong_in_a_match_is_named_and_the_match_is_kept(
    what: str, home: Path
) -> None:
    body, crashes = WRONG[what]
    path = kept(home, body)
    with ExitStack() as stack:
        at = begin(stack, home / "state", BOARD, "grim")
        at.act("a1")
        at.page.send("declare", seat=-1, action="d4")
        said = at.page.refusal()
        assert said.startswith(f"The game grim ({path}) made a mistake: ")
        assert "Traceback" not in said
        if not crashes:
            at.page.rule("undo")
        at.page.until(lambda s: f"The game grim ({path}) made a mistake" in str(s["notices"]))
        at.page.until(lambda s: len(s["pieces"]) == 1)
        at.act("b2")
        at.end()
        assert at.entries == (2 if crashes else 4)
    with ExitStack() as stack:
        again = begin(stack, home / "state", BOARD, "grim")  # the match goes on
        assert len(again.page.state["pieces"]) == 2
        again.end()
    with ExitStack() as stack:
        other = begin(stack, home / "other", plain("hexhex-5"), "hexalma")
        other.act("b3-c3")


@pytest.mark.parametrize(
    ("body", "after", "code"),
    [(WRONG["play raises"][0], " after fact 2", 2), ("def scene(self):\n        1 // 0", "", 1)],
)
def test_a_game_that_goes_wrong_when_it_is_replayed_is_named(
    body: str, after: str, code: int, home: Path
) -> None:
    kept(home, "pass")
    recording = played(home, home / "then", "grim", "a1", "d4")
    path = kept(home, body)
    done = run(home, "replay", str(recording))
    assert done.exit_code == code
    assert f"The game grim ({path}) made a mistake{after}: ZeroDivisionError" in done.stderr
    assert "Please report" not in done.stderr


@pytest.mark.long
def test_a_game_of_one_file_tells_its_rules_in_another_language(home: Path) -> None:
    keep(home, "our_span", one_file("our-span"))
    assert hexboard("--home", home, "help", "our-span").stdout.startswith("# Span\n")
    table = home / "locale" / "de.toml"
    table.parent.mkdir()
    german = '[our_span]\nhelp = """# Spanne\n\n* S1. Abwechselnd."""\n'
    table.write_text(german, "utf-8")
    checked = hexboard("--home", home, "check", table)
    assert checked.returncode == 0, checked.stderr
    told = hexboard("--home", home, "--language", "de", "help", "our-span").stdout
    assert told.startswith("# Spanne\n\n* S1. Abwechselnd.")
    assert hexboard("--home", home, "help", "our-span").stdout.startswith("# Span\n")


@pytest.mark.parametrize("what", WRONG)
def test_a_game_that_goes_wrong_in_a_terminal_is_named(what: str, home: Path) -> None:
    path = kept(home, WRONG[what][0])
    done = run(home, "play", "grim", input="a1\nd4\nmoves\nquit\n")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"The game grim ({path}) made a mistake: ")


def test_programs_are_told_too_and_the_referee_goes_on(home: Path) -> None:
    path = kept(home, WRONG["play raises"][0])
    lines = ['{"do": "act", "action": "d4"}', '{"do": "act", "action": "a1"}']
    wrong, right = run(home, "referee", "grim", input="\n".join(lines)).stdout.splitlines()
    assert f"The game grim ({path}) made a mistake: ZeroDivisionError" in wrong
    assert '"ok": true' in right
    counted = run(home, "perft", "grim", "2")
    assert counted.exit_code == 1
    assert counted.stderr.startswith(f"The game grim ({path}) made a mistake: ZeroDivisionError")
    assert run(home, "perft", "hexalma", "1").stdout == "50\n"  # digest 2.4


def test_who_subscribed_is_told_that_a_game_goes_wrong_and_what_comes_after(home: Path) -> None:
    path = kept(home, WRONG["legal raises"][0])
    asked = [{"do": "subscribe", "to": [{"do": "legal"}]}, {"do": "act", "action": "d4"}]
    text = "\n".join(map(json.dumps, [*asked, {"do": "undo"}]))
    lines = run(home, "referee", "grim", input=text).stdout.splitlines()
    first, acted, wrong, undone, right = map(json.loads, lines)
    assert acted["ok"]
    assert f"The game grim ({path}) made a mistake" in wrong["answers"][0]["reason"]
    assert undone["ok"]
    assert right == {"change": 2, "answers": first["answers"]}


# ------------------------------------------------------------------------------------ capabilities

LIES = {
    "a page that raises": (
        "page=PagePart(shows=lambda: 1 // 0),",
        "made a mistake: ZeroDivisionError",
    ),
    "a page that is none": ("page=PagePart(shows=lambda: 7),", "declares Shown and gives int"),
    "a stage that raises": ("stage=lambda: 1 // 0,", "made a mistake: ZeroDivisionError"),
    "a stage that is none": ("stage=lambda: 7,", "declares Stage and gives int"),
    "a table that raises": ("table=lambda b, s: 1 // 0,", "made a mistake: ZeroDivisionError"),
    "a table that is none": ("table=lambda b, s: 7,", "declares Table and gives int"),
}
"""What a game declares and is not so, and what is said when it is to be played."""


@pytest.mark.long
@pytest.mark.parametrize("what", LIES)
def test_a_capability_that_is_a_lie_is_named_when_the_game_begins(what: str, home: Path) -> None:
    more, why = LIES[what]
    keep(home, "grim", one_file("grim").replace("touched=Span,", f"touched=Span, {more}"))
    run_ = ("run", "--simulate", "--game", "grim", "--state", home / "state", "--port", 0)
    done = hexboard("--home", home, *run_)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "grim" in line
    assert str(home / "games" / "grim.py") in line
    assert why in line


EVENINGS = {
    "raises": ("evening=lambda *a: 1 // 0,", "made a mistake: ZeroDivisionError"),
    "is none": ("evening=lambda *a: 7,", "declares Summary and gives int"),
}


@pytest.mark.parametrize("what", EVENINGS)
def test_an_evening_that_is_a_lie_is_named(what: str, home: Path) -> None:
    more, why = EVENINGS[what]
    keep(home, "grim", one_file("grim").replace("touched=Span,", f"touched=Span, {more}"))
    done = run(home, "run", "--simulate", "--fast", "--game", "grim", "--state", str(home / "s"))
    assert done.exit_code == 1
    assert why in done.stderr
    assert str(home / "games" / "grim.py") in done.stderr


def test_a_game_without_evenings_is_not_blamed_for_that(home: Path) -> None:
    keep(home, "grim", one_file("grim"))
    done = run(home, "run", "--simulate", "--fast", "--game", "grim", "--state", str(home / "s"))
    assert done.exit_code == 2
    assert "grim plays no evenings by itself" in done.stderr
    assert "made a mistake" not in done.stderr


DECLARED = {
    "touched is no class": ("touched=Span", "touched=7"),
    "a chance without odds": ("touched=Span", "touched=Span, chance=Span"),
    "hidden hands without a view": ("touched=Span", "touched=Span, hidden=Span"),
    "no look": ("appearance=Appearance(looks)", "appearance=looks"),
    "no option": ("touched=Span", "touched=Span, options=('size',)"),
    "no stage": ("touched=Span", "touched=Span, stage=7"),
    "no page": ("touched=Span", "touched=Span, page='page.js'"),
    "no evening": ("touched=Span", "touched=Span, evening=()"),
    "no figures": ("touched=Span", "touched=Span, figures={}"),
}
"""What stands in a declaration in place of what belongs there."""


@pytest.mark.parametrize("what", DECLARED)
def test_a_declaration_that_cannot_be_is_named_before_anything_is_played(
    what: str, home: Path
) -> None:
    right, wrong = DECLARED[what]
    path = keep(home, "grim", one_file("grim").replace(right, wrong))
    line = next(
        n
        for n, text in enumerate(path.read_text("utf-8").splitlines(), 1)
        if "GAME = Game(" in text
    )
    done = run(home, "help", "grim")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"{path}, line {line}: the game grim cannot be used: TypeError: ")
    assert run(home, "help").exit_code == 0


# ---------------------------------------------------------------------------------------- commands

COMMANDS = {
    "raises": ("raise OSError('no such thing')", "cannot be used: OSError: no such thing."),
    "exits": ("raise SystemExit('no screen')", "cannot be used: SystemExit: no screen."),
    "is none": ("hello = 7", "cannot be used: int."),
    "is not there": ("", "cannot be used: AttributeError: "),
    "raises when called": (
        "import click\n@click.command()\ndef hello():\n    1 / 0",
        "made a mistake: ZeroDivisionError: division by zero.",
    ),
}


@pytest.mark.parametrize("what", COMMANDS)
def test_a_command_that_goes_wrong_is_named_and_the_others_go_on(
    what: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, why = COMMANDS[what]
    package = f"rude_{len(what)}"
    lay_out(home / "packages", package, code, commands=f"hello = {package}:hello")
    monkeypatch.syspath_prepend(str(home / "packages"))
    done = run(home, "hello")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"The command “hello” of another package ({package}:hello) ")
    assert why in done.stderr
    assert run(home, "show").exit_code == 0
    assert "hello" in run(home, "--help").stdout


def test_a_command_with_a_name_that_is_taken_is_left_out_and_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import click\n@click.command()\ndef hello():\n    click.echo('hello')"
    lines = "show = rude_x:hello\ntiles = rude_x:hello\nfine = rude_x:hello"
    lay_out(home / "packages", "rude_x", code, commands=lines)
    monkeypatch.syspath_prepend(str(home / "packages"))
    assert run(home, "help").stderr.splitlines() == [
        f"The command “{name}” of the package rude_x is left out: another command has that name."
        for name in ("show", "tiles")
    ]
    assert "hexhex-5" in run(home, "show").stdout
    assert "hello" not in run(home, "tiles", "list").stdout
    assert run(home, "fine").stdout == "hello\n"


@pytest.mark.long
@pytest.mark.parametrize("crashes", [True, False])
def test_a_mistake_of_a_game_with_hidden_cards_tells_no_card(crashes: bool, home: Path) -> None:
    code = example("two-hands", "cards", home)
    held = "        if action.card not in self._held():"
    assert held in code
    if crashes:
        code = code.replace(held, f"        self._held().index(action.card)\n{held}")
    else:  # what pages are shown cannot be made
        where = "        lying = [(n, text)"
        assert where in code
        code = code.replace(where, f"        {{}}[self.hands[0]] if self.laid else 0\n{where}")
    keep(home, "two_hands", code)
    registry.look_in(home / "games")
    with ExitStack() as stack:
        at = begin(stack, home / "state", plain("hexhex-3"), "two-hands")
        at.page.until(lambda s: s["active"] == 0)
        hand = at.daemon.view.position.hands[0]  # type: ignore[attr-defined]
        card = next(card for card in "123456789" if (card in hand) != crashes)
        at.page.send("curtain", side=0)
        at.page.until(lambda s: s["hand"])
        at.page.send("declare", seat=0, action=f"{card} a1")
        said = at.page.refusal()
        assert "made a mistake: " + ("ValueError" if crashes else "KeyError") in said
        assert "two_hands.py:" in said
        assert f"'{card}'" not in said
        assert f"'{hand}'" not in said
        (crash,) = (home / "state" / "recordings").glob("*.crash.txt")
        report = crash.read_text("utf-8")
        assert "two_hands.py" in report
        assert not [it for it in (f"'{card}'", f"'{hand}'", f"{card} a1") if it in report]
        registry.look_in(home / "nothing")
