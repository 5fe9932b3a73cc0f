"""The library: what docs/library.md shows is so, and what it says of all games holds for each."""

import doctest
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hexboard
from hexboard.facts import Fact
from hexboard.record.transcript import Transcript
from tests.running import hexboard as hexboard_command

HERE = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["docs/library.md", "README.md"])
def test_a_page_says_what_is_so(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs" / "golden").mkdir(parents=True)
    shutil.copy(HERE / "docs/golden/evening.mcap", tmp_path / "docs/golden")
    monkeypatch.chdir(tmp_path)
    done = doctest.testfile(str(HERE / page), module_relative=False, encoding="utf-8")
    assert done.attempted
    assert not done.failed


def test_the_first_example_of_the_package_runs() -> None:
    assert doctest.testmod(hexboard) == (0, 3)  # of three lines none fails


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys, hexboard; print(*[n for n in sys.modules if n.startswith('hexboard')])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["hexboard"]


@pytest.mark.parametrize("name", hexboard.names())
def test_positions_of_every_game_print_draw_and_are_made_again(name: str) -> None:
    random = Random(7)
    position = hexboard.start(name)
    for _ in range(8):
        assert eval(repr(position)) == position
        assert str(position).count("\n") >= 3
        assert position._repr_svg_().startswith("<svg ")
        assert sorted(position.legal) == sorted(set(position.legal))
        for seat in range(len(position.seats)):
            assert position.view(seat).view(seat) == position.view(seat)
        move = random.choice(list(position.legal))
        assert move in position.legal
        position = position.play(move)
    assert "no such move" not in position.legal


def test_a_switch_is_said_in_the_words_that_help_lists() -> None:
    assert hexboard.start("bad-santa-hex", swap="yes").options == {"swap": True}
    with pytest.raises(hexboard.BadText, match="it may be: no, yes"):
        hexboard.start("bad-santa-hex", swap="maybe")


def test_to_resign_is_no_move() -> None:
    """It is an act that no position lists, by a number that Bad Santa's bytes cannot hold."""
    assert "resign black" not in hexboard.start("bad-santa-hex").legal


def test_a_hand_is_known_to_its_own_seat() -> None:
    position = hexboard.start("hexel", hands="dealt")
    random = Random(1)
    while not position.hand(0) and position.scores is None:
        position = position.play(random.choice(list(position.legal)))
    seen, other = position.view(0), position.view(1)
    assert seen.hand(0) == position.hand(0)
    assert other.hand(0) != position.hand(0)


def test_play_from_an_earlier_page_takes_back_what_came_after() -> None:
    match = hexboard.Match("hexalma")
    match.play("b3-c3", "h3-g3", "c3-d3")
    match.back(2)
    match.play("h2-g2")
    assert match.moves == ["b3-c3", "h2-g2"]
    assert match.entries == 5  # three moves, one take-back, one move
    match.back()
    with pytest.raises(hexboard.IllegalAction):
        match.play("e5-e7")
    assert match.moves == ["b3-c3", "h2-g2"]


def test_a_match_begins_with_any_position_and_is_saved_with_it(tmp_path: Path) -> None:
    first = hexboard.start("hexalma").play("b3-c3")
    match = hexboard.Match(first)
    match.play("h3-g3")
    match.save(tmp_path / "kept.json")
    again = hexboard.Match.load(tmp_path / "kept.json")
    assert list(again) == list(match) == [first, first.play("h3-g3")]
    again.undo()
    with pytest.raises(hexboard.BadText):
        again.undo()


def test_a_match_is_saved_with_the_board_that_it_is_played_on(tmp_path: Path) -> None:
    match = hexboard.Match("bad-santa-hex", board="rhombus-7")
    match.play("a1", "g7", "die 1")
    match.save(tmp_path / "kept.json")
    again = hexboard.Match.load(tmp_path / "kept.json")
    assert again.position == match.position
    assert again.position.board.name == "rhombus-7"
    read = hexboard_command("export", "--record", tmp_path / "kept.json")
    assert "rhombus-7" in read.stdout, read.stderr
    kept = tmp_path / "kept.json"
    played = hexboard_command("play", "bad-santa-hex", "--record", kept, input="quit\n")
    assert (played.returncode, "rhombus-7" in played.stderr) == (1, True)


def test_pages_are_turned_to_the_first_and_the_last_position_at_most() -> None:
    match = hexboard.Match("hexalma")
    assert match.back(-3) == match.forward(3) == match.forward(-3) == hexboard.start("hexalma")
    match.play("b3-c3", "h3-g3")
    here = match.position
    assert match.back(-5) == here
    assert match.forward(-5) == match.back(5) == hexboard.start("hexalma")
    with pytest.raises(hexboard.BadText):
        match.undo()


def test_a_match_whose_first_position_was_taken_back_begins_where_the_game_does(
    tmp_path: Path,
) -> None:
    """`undo` in a terminal takes back the ruling, too."""
    match, kept = hexboard.Match(hexboard.start("hexalma").play("b3-c3")), tmp_path / "kept.json"
    match.save(kept)
    typed = "undo\nb3-c3\nh3-g3\nquit\n"
    done = hexboard_command("play", "hexalma", "--record", kept, input=typed)
    assert done.returncode == 0, done.stderr
    again = hexboard.Match.load(kept)
    assert (again.moves, len(again)) == (["b3-c3", "h3-g3"], 2)
    assert next(iter(again)) == hexboard.start("hexalma")


def test_a_file_that_keeps_no_match_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text("{}", "utf-8")
    with pytest.raises(hexboard.BadText, match=r"kept\.json"):
        hexboard.Match.load(tmp_path / "kept.json")


def test_an_evening_in_which_the_table_crashes_is_played_up_to_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = hexboard.open(HERE / "docs/golden/evening.mcap")
    assert not recording.replay().run().damage
    whole, step = [str(it) for it in recording.replay() if it.n < 9], Transcript.step

    def broken(transcript: Transcript, fact: Fact) -> Any:
        if fact.n == 9:
            raise ZeroDivisionError("a mistake of ours")
        return step(transcript, fact)

    monkeypatch.setattr(Transcript, "step", broken)
    played = recording.replay()
    assert [str(it) for it in played] == whole
    assert "after fact 8 (ZeroDivisionError: a mistake of ours)" in played.damage
