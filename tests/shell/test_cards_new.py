"""`hexboard cards new` in a terminal: a box is asked for, step by step."""

import os
import pty
import subprocess
from functools import partial
from pathlib import Path
from random import Random
from typing import get_args

import click
import pytest
from click.testing import CliRunner

from hexboard.files import Source
from hexboard.games.knee_deep.commands.making import made
from hexboard.games.knee_deep.conditions import AnyCondition
from hexboard.games.knee_deep.entries import AnyEffect, BoxFile
from hexboard.games.knee_deep.lint import looked_over
from hexboard.words import say
from tests.running import HEXBOARD, PATIENCE, eventually

CTRL_C, CTRL_D, TERM = "\x03", "\x04", "SIGTERM"
PROMPT = " > "


def typed(path: Path, *answers: str, language: str = "en") -> tuple[int, str]:
    """How it ends, and what the terminal shows, when each question gets the next answer."""
    ours, theirs = pty.openpty()
    command = [*HEXBOARD, "--language", language, "cards", "new", str(path)]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True, start_new_session=True,
        preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),
    ) as process:  # fmt: skip
        os.close(theirs)
        shown, left = "", list(answers)
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            shown += piece.decode()
            if shown.endswith(PROMPT):
                if not left:
                    process.kill()
                    pytest.fail(f"it asks on: {shown}")
                answer = left.pop(0)
                if answer in (CTRL_C, TERM):  # before it waits for an answer none is heard
                    eventually(partial(sleeps, process.pid))
                if answer == TERM:
                    process.terminate()
                    continue
                os.write(ours, (answer if answer in (CTRL_C, CTRL_D) else answer + "\n").encode())
        code = process.wait(PATIENCE)
    os.close(ours)
    assert not left, (left, shown)
    return code, shown.replace("\r\n", "\n")


def sleeps(pid: int) -> bool:
    """Whether a process waits for something."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("S")


def box(path: Path) -> BoxFile:
    found = looked_over(Source(path))
    assert found.mistakes == []
    assert found.entry is not None
    return found.entry


STORM = ("war", "Storm", "3", "every", "2", "")
"""A war card with no condition, up to its effects."""
SPY = ("action", "Spyglass", "1", "0", "gondwana_tech", "")
"""An action card of a companion."""
BONUS = ("bonus", "2", "tank", "", "")
KEPT = ("", "", "yes")
"""No effect more, no limit a game, and the card is right."""


@pytest.mark.long
def test_a_box_is_asked_for_card_by_card_and_is_right(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    peek = ("peek", "2", "enemy")
    code, shown = typed(path, "My box", "2", *STORM, *BONUS, *KEPT, *SPY, *peek, "", "1", "", "yes")
    assert code == 0, shown
    assert "Storm: war card, 3 combat. +2 combat for each tank of yours in the war zone." in shown
    assert "Spyglass: action card for 1 material and 0 energy." in shown
    assert "Look at the top 2 cards of the enemy's draw pile." in shown
    entry = box(path)
    assert (entry.name, entry.title) == ("mine", "My box")
    storm, spyglass = entry.cards[:2]
    assert (storm.id, storm.neutral, storm.combat) == ("storm", 2, 3)
    assert spyglass.limit is not None
    assert spyglass.limit.turn == 1
    tech = next(it for it in entry.companions if it.id == "gondwana_tech")
    assert tech.cards == ("crossfire", "bunker", "spyglass", "batteries")
    assert sum(card.neutral for card in entry.cards) == 9
    told = subprocess.run(
        [*HEXBOARD, "cards", "check", str(path)], capture_output=True, text=True, check=True
    ).stdout
    assert "nothing is wrong" in told
    assert "25 in all" in told


def test_a_wrong_answer_is_refused_with_the_reason_and_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    code, shown = typed(
        path,
        *("", "none", "1"),
        *("trap", "actoin", "action", "", "Raid", "21", "2", "0"),
        *("everybody", "every", "3", "1"),
        *("count", "2", "", "any", "self", "zone", ""),  # a zone on an action card
        "",
        *("bnous", "destroy", "tank", "enemy", "board", "", "", ""),
        *("", "", "", "yes"),
    )
    assert code == 0, shown
    for reason in (
        "A whole number from 1 to 231, please.",
        "“trap” is none of: war, action.",
        "“actoin” is none of: war, action. Did you mean “action”?",
        "One line of 1 to 60 letters, please.",
        "A whole number from 0 to 20, please.",
        "“everybody” is none of: every, gondwana_commander",
        "A whole number from 1 to 2, please.",
        "this belongs to war cards",
        "“bnous” is none of: ",
    ):
        assert reason in shown, (reason, shown)
    assert "\n  within" not in shown
    raid = box(path).cards[0]
    assert raid.conditions == ()
    assert say(raid.face) == (
        "Raid: action card for 2 material and 0 energy. Destroy 1 enemy tank."
    )


@pytest.mark.parametrize(("stop", "status"), [(CTRL_C, 130), (CTRL_D, 1)])
def test_who_stops_before_a_card_is_right_writes_nothing(
    stop: str, status: int, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    code, _ = typed(path, "My box", "2", "war", "Storm", stop)
    assert (code, list(tmp_path.iterdir())) == (status, [])


@pytest.mark.parametrize(("answer", "status"), [("yes", 0), ("", 130), (CTRL_D, 1)])
def test_who_stops_later_may_keep_what_there_is(answer: str, status: int, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    code, shown = typed(path, "", "3", *STORM, "", "", "yes", "action", "Half", CTRL_C, answer)
    assert "Write the 1 card that you have entered?" in shown
    assert (code, path.exists()) == (status, status == 0)
    if status == 0:
        assert [card.title for card in box(path).cards][:2] == ["Storm", "Sling"]


@pytest.mark.long
def test_where_the_computer_stops_it_nobody_is_asked_what_to_keep(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    code, shown = typed(path, "", "3", *STORM, "", "", "yes", "action", "Half", TERM)
    assert "Write the 1 card" not in shown
    assert (code, list(tmp_path.iterdir())) == (143, [])


def test_what_is_there_already_is_not_asked_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("mine", "utf-8")
    code, shown = typed(path)
    assert (code, path.read_text("utf-8")) == (1, "mine")
    assert PROMPT not in shown


@pytest.mark.long
def test_it_asks_in_german_too(tmp_path: Path) -> None:
    path = tmp_path / "mein.toml"
    answers = ("Meine Schachtel", "1", *STORM, *BONUS, "", "", "ja")
    code, shown = typed(path, *answers, language="de")
    assert code == 0, shown
    assert "Wie heißt die Schachtel?" in shown
    assert "Storm: Kriegskarte" in shown
    assert box(path).title == "Meine Schachtel"


@pytest.mark.parametrize("words", [(), ("--example",)])
def test_a_script_gets_a_copy_of_ours(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    done = subprocess.run(
        [*HEXBOARD, "cards", "new", str(path), *words], stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode == 0
    assert len(box(path).cards) == 24


WORDS = (
    *("", "", "", "", "yes", "no", "0", "1", "2", "3", "20", "war", "action", "every", "zone"),
    *("tank", "acv", "enemy", "self", "any", "vehicle", "x", "gondwana_tech", "bukseon_general"),
    *("?", "energy", "combat", "move", "builders", "attacker", "supply", "line3", "all"),
)


def answered(random: Random) -> str | None:
    """The box that is made of answers at random; None where they end before it does."""
    clauses = [
        str(it.__struct_config__.tag) for it in (*get_args(AnyEffect), *get_args(AnyCondition))
    ]
    words = [random.choice(clauses if random.random() < 0.3 else WORDS) for _ in range(700)]
    titles = [f"Card {k}" for k in range(400)]
    lines = [random.choice(titles) if random.random() < 0.05 else word for word in words]
    runner = CliRunner()
    with runner.isolation(input="\n".join(["Any", "2", *lines])):
        try:
            return made("any")
        except click.Abort:
            return None


@pytest.mark.long
def test_whatever_is_answered_the_box_is_right_or_there_is_none() -> None:
    texts = [text for seed in range(16) if (text := answered(Random(seed)))]
    assert len(texts) > 3
    for text in texts:
        found = looked_over(Source(Path("any.toml"), text))
        assert [say(it) for it in found.mistakes] == []
