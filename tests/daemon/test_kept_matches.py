"""A match that this hexboard cannot play waits for one that can: an update, and the way back.

HexAlma is played; then the folder is opened as a start does, by a hexboard of other rules, or one
that makes a mistake in playing the match again.
"""

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.commands.doctor.matches import journals
from hexboard.daemon import Run, front
from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening, unfinished
from hexboard.daemon.room import Room
from hexboard.facts import Declare, Resume, Start
from hexboard.game import registry
from hexboard.record.journal import Journal, Saved
from hexboard.record.transcript import Transcript
from hexboard.settings import Settings
from hexboard.words import say
from hexboard.words.errors import BadText
from tests.benchmarks.flips import Played, step
from tests.evening import go

OURS = registry.find("hexalma")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("kept"), "hexalma", 3, turns=8)


@pytest.fixture
def state(played: Played, tmp_path: Path) -> Path:
    shutil.copytree(played.folder, tmp_path / "state")
    return tmp_path / "state"


@contextlib.contextmanager
def other_rules() -> Iterator[None]:
    """A hexboard in which HexAlma has other rules."""
    other = replace(OURS, rules=lambda: "hexalma 99")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "find", lambda name: other)
        yield


@contextlib.contextmanager
def mistaken() -> Iterator[None]:
    """A hexboard that stumbles over the fifth entry."""

    def stumbles(board: Board, begin: Start | Resume) -> Transcript:
        if isinstance(begin, Resume) and len(begin.entries) > 4:
            raise KeyError("b3-c3")
        return Transcript(board, begin)

    with pytest.MonkeyPatch.context() as patch:
        for module in ("opening", "mending"):
            patch.setattr(f"hexboard.daemon.{module}.Transcript", stumbles)
        yield


def begun(
    played: Played, state: Path, moved: bool = False, anew: bool = False, says: str = ""
) -> tuple[Start | Resume, str]:
    """What begins, and what people are told; then somebody makes a move in it, or `says` that."""
    notices = Notices([], lambda: None)
    opening = played.opening(state, notices)
    with contextlib.closing(opening.journal()) as journal:
        if anew:
            saved = journal.open_match()
            return opening.new(journal, after=saved.match if saved else ""), ""
        begin = opening.first(journal)
        if moved or says:
            match = Match(
                played.board, begin, journal, state / "recordings", print, played.board.hash
            )
            step(match, "table", begin)
            name = match.view.position.name(next(iter(match.view.position.legal)))
            step(match, "page 1", Declare(-1, says or name))
            match.close()
    return begin, " ".join(say(it) for it in notices)


def name(begin: Start | Resume) -> str:
    return begin.match if isinstance(begin, Start) else begin.start.match


@pytest.mark.parametrize("update", [other_rules, mistaken])
def test_after_an_update_that_cannot_play_it_and_the_way_back_the_match_is_there(
    played: Played, state: Path, update: Callable[[], AbstractContextManager[None]]
) -> None:
    old = name(begun(played, state)[0])
    sealed = state / "recordings" / f"{old}.sealed"
    sealed.touch()
    with update():
        for _ in range(2):  # the service is started twice
            begin, told = begun(played, state)
            assert name(begin) != old
            assert "Nothing of it is lost" in told
            assert "if nobody has made a move in the other one till then" in told
        assert sealed.exists()
    again, told = begun(played, state)
    assert isinstance(again, Resume)
    assert (name(again), again.entries, told) == (old, played.entries, "")


def test_rules_that_are_others_are_named_both(played: Played, state: Path) -> None:
    """Of a game from a package, too, of which the version of hexboard says nothing."""
    with other_rules():
        _, told = begun(played, state)
    assert "is played by the rules “hexalma 1”; here are “hexalma 99”" in told


def test_a_board_that_does_not_suit_its_game_any_more_says_that_a_match_is_kept(
    played: Played, state: Path
) -> None:
    """Its file was edited: that the game needs another board sounded as if all were lost."""
    edited = replace(played.board, cells=played.board.cells[:-1])
    run = Run(edited, state, Settings(), "hexalma", played.options)
    with pytest.raises(BadText, match="once the board's file is put back") as refused:
        Opening(run, edited, Notices([], lambda: None))
    old = name(begun(played, state)[0])
    assert str(refused.value).startswith("HexAlma needs the board hexhex-5;")
    assert f"The saved game {old} is kept" in str(refused.value)


def test_a_match_of_a_game_that_is_away_is_told_where_another_is_played(
    played: Played, state: Path
) -> None:
    """Its package was uninstalled. Another game that somebody chose is no surprise."""
    (state / "hexalma.db").rename(state / "my-game.db")
    (state / "playing.json").write_text('"my-game"')
    run = Run(played.board, state, Settings(), "hexel", port=0, typed=False, chosen=False)
    with contextlib.ExitStack() as stack:
        at = go(stack, run)
        at.page.until(lambda page: bool(page["notices"]))
        assert at.page.state["notices"] == [
            "The game my-game, which was played here last, is not installed. What was played is "
            "kept: install the game again and start hexboard again, and a match that is not over "
            "can be chosen on the page."
        ]
    assert front.absent(replace(run, chosen=True)) is None


def test_each_hexboard_goes_on_with_the_match_of_its_own_rules(played: Played, state: Path) -> None:
    old = name(begun(played, state)[0])
    with other_rules():
        new = name(begun(played, state)[0])
        begun(played, state, moved=True)
        begin, told = begun(played, state)
        assert (name(begin), told) == (new, "")
    begin, told = begun(played, state)
    assert name(begin) == old
    assert new in told


def test_what_people_begin_themselves_gives_way_to_no_match_that_was_kept(
    played: Played, state: Path
) -> None:
    old = name(begun(played, state)[0])
    with mistaken():
        beside = name(begun(played, state, moved=True)[0])
    assert name(begun(played, state)[0]) == beside != old
    chosen = name(begun(played, state, anew=True)[0])
    assert name(begun(played, state)[0]) == chosen


def test_one_that_waits_behind_another_is_named_and_goes_on_once_that_one_is_over(
    played: Played, state: Path
) -> None:
    """What no hexboard names stays in the journal for nobody; it goes on before another begins."""
    old = name(begun(played, state)[0])
    with mistaken():
        beside = name(begun(played, state, moved=True)[0])
    begin, told = begun(played, state)
    assert name(begin) == beside
    assert f"The game {old} is kept too" in told
    said = [it.said for it in journals(state, played.board) if it.state != "good"]
    assert said == [f"{old} waits behind {beside}, which was begun after it."]
    begun(played, state, says="resign white")
    begin, told = begun(played, state)
    assert isinstance(begin, Resume)
    assert (name(begin), begin.entries, told) == (old, played.entries, "")
    assert all(it.state == "good" for it in journals(state, played.board))


def test_a_new_match_that_people_choose_ends_none_of_other_rules(
    played: Played, state: Path
) -> None:
    old = name(begun(played, state)[0])
    run = Run(played.board, state, Settings(), "hexalma", played.options, anew=True)
    with other_rules():
        opening = Opening(run, played.board, Notices([], lambda: None))
        with contextlib.closing(opening.journal()) as journal:
            assert isinstance(opening.begin(journal), Start)
    assert name(begun(played, state)[0]) == old


def test_it_keeps_its_recordings_is_offered_and_the_doctor_names_it(
    played: Played, state: Path
) -> None:
    run = Run(played.board, state, Settings(), "hexalma", played.options, typed=False)
    with other_rules():
        begun(played, state, moved=True)
        told = [it for it in journals(state, played.board) if it.state != "good"]
        assert ["of another board" in it.said for it in told] == [True]
    with contextlib.closing(Journal(state / "hexalma.db")) as journal:
        newest, old = journal.unfinished()
        Room(state, 0, Notices([], lambda: None), print).make(journal)
    assert (state / "recordings" / f"{old.match}.mcap").exists()
    assert old.match != newest.match
    assert front.going_on(run, "hexalma") is not None


def test_a_journal_under_another_name_is_not_said_to_go_on(played: Played, state: Path) -> None:
    """As a file manager calls a second copy: `run` does not read it."""
    (state / "hexalma.db").rename(state / "hexalma (1).db")
    (told,) = journals(state, played.board)
    assert told.state == "look"
    assert (
        told.said == "No game that is installed has the name of hexalma (1).db: nothing reads it."
    )


def test_a_journal_that_is_made_again_has_what_was_kept(played: Played, state: Path) -> None:
    old = name(begun(played, state)[0])
    with other_rules():
        new = name(begun(played, state, moved=True)[0])
        (state / "hexalma.db").write_bytes(b"nothing at all" * 1000)
        begin, told = begun(played, state)
        assert name(begin) == new
        assert "hexalma.damaged.db" in told
    begin, _ = begun(played, state)
    assert isinstance(begin, Resume)
    assert (name(begin), begin.entries) == (old, played.entries)


def test_a_new_match_begins_beside_one_of_a_later_hexboard_that_cannot_be_read(
    played: Played, state: Path
) -> None:
    run = Run(played.board, state, Settings(), "hexalma", played.options, anew=True)
    opening = Opening(run, played.board, Notices([], lambda: None))
    with contextlib.closing(opening.journal()) as journal:
        journal.begin("later", b"{}")
        assert isinstance(opening.begin(journal), Start)
        assert "later" in {it.match for it in journal.unfinished()}


def read_by(act: Callable[[], object]) -> int:
    """So many bytes this process reads meanwhile."""

    def so_far() -> int:
        return int(re.findall(r"rchar: (\d+)", Path("/proc/self/io").read_text("ascii"))[0])

    before = so_far()
    act()
    return so_far() - before


def test_who_asks_what_can_go_on_waits_for_no_look_through_years_of_matches(tmp_path: Path) -> None:
    """The door asks the journal of each game, twice: on a slow card each host waited for it."""
    path = tmp_path / "hexalma.db"
    entries = [f'{{"type":"played","action":"{n:099}"}}' for n in range(100)]
    with contextlib.closing(Journal(path)) as journal:
        for n in range(50):
            journal.begin(f"m{n}", b"{}", f"m{n - 1}" if n else "")
            journal.commit(f"m{n}", 0, entries, "")
    found: list[Saved] = []
    assert read_by(lambda: found.extend(unfinished(path))) < path.stat().st_size / 4
    assert [(it.match, len(it.entries)) for it in found] == [("m49", 100)]
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096 * 20)
    assert unfinished(path) == []  # and who wants to play is told what is wrong with it
