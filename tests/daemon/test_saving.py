"""Saving: what stands when hexboard ends, while a slow disk still writes what stood before."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexboard.daemon import saving as module
from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.room import Room
from hexboard.daemon.saving import SLOW, Saving
from hexboard.facts import Declare, Report, Ruling
from hexboard.record.journal import Journal
from hexboard.record.recording import read
from hexboard.table.effects import Commit
from hexboard.words.errors import HexboardError
from tests.benchmarks.flips import Played
from tests.running import PATIENCE


def play(match: Match) -> None:
    """A move, which stands at once."""
    name = match.view.position.name(next(iter(match.view.position.legal)))
    (commit,) = (
        effect
        for effect in match.step(Report("page 1", match.heard.t + 1, Declare(-1, name)))
        if isinstance(effect, Commit)
    )
    match.commit(commit)


@pytest.fixture
def notices() -> Notices:
    return Notices([], lambda: None)


@pytest.fixture
def begun(tmp_path: Path, notices: Notices) -> Iterator[tuple[Journal, Match, Saving]]:
    """A match that begins, and what saves it."""
    played = Played(tmp_path, "hexalma", 3, turns=8)
    state = tmp_path / "state"
    state.mkdir()
    opening = played.opening(state, notices)
    journal = opening.journal()
    begin = opening.new(journal)
    file = played.board.hash
    match = Match(played.board, begin, journal, state / "recordings", print, file, None, "E661")
    match.step(Report("table", 1, begin))
    room = Room(state, 10**9, notices, print)
    saving = Saving(notices, lambda source, body: None, room, lambda: None)
    yield journal, match, saving
    saving.close()
    match.close()
    journal.close()


def kept(journal: Journal) -> int:
    saved = journal.open_match()
    assert saved is not None
    return len(saved.entries)


def slowed(journal: Journal) -> threading.Event:
    """From now on the disk takes an entry only once this is set."""
    gate = threading.Event()
    journal._db.create_function("disk", 0, lambda: gate.wait(PATIENCE))
    journal._db.execute(
        "CREATE TEMP TRIGGER slow AFTER INSERT ON main.entry BEGIN SELECT disk(); END"
    )
    return gate


def test_what_stands_at_the_end_is_saved_however_slow_the_disk_is(
    begun: tuple[Journal, Match, Saving],
) -> None:
    journal, match, saving = begun
    gate = slowed(journal)
    for _ in range(2):
        play(match)
        saving.save(match)
    assert match.journalled == 0
    gate.set()
    saving.finish(match)
    assert kept(journal) == match.journalled == 2


def test_a_disk_that_has_room_again_at_the_end_is_tried_once_more(
    begun: tuple[Journal, Match, Saving],
) -> None:
    journal, match, saving = begun
    journal._db.execute("PRAGMA query_only = 1")
    play(match)
    saving.save(match)
    assert not saving.works
    journal._db.execute("PRAGMA query_only = 0")
    saving.finish(match)
    assert kept(journal) == match.journalled == 1


def test_that_the_disk_was_slow_is_told_for_a_while(
    begun: tuple[Journal, Match, Saving],
    notices: Notices,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal, match, saving = begun
    monkeypatch.setattr(module, "SLOW_S", 0.0)  # this one is
    play(match)
    saving.save(match)
    saving.settle(match)
    assert kept(journal) == 1
    saving.turn()
    assert SLOW in notices
    monkeypatch.setattr(module, "LASTS_S", 0.0)
    saving.turn()
    assert SLOW not in notices


def test_another_match_begins_once_a_slow_disk_has_the_one_before(
    begun: tuple[Journal, Match, Saving],
) -> None:
    """A choice in the moment in which a move is being written is no complaint about the disk."""
    journal, match, saving = begun
    gate = slowed(journal)
    for _ in range(2):
        play(match)
        saving.save(match)
    with pytest.raises(HexboardError, match="not saved yet"):
        saving.catch_up(match)
    gate.set()
    saving.settle(match)
    saving.catch_up(match)
    assert kept(journal) == match.journalled == 2
    journal._db.execute("PRAGMA query_only = 1")
    play(match)
    with pytest.raises(HexboardError, match="cannot be saved"):
        saving.catch_up(match)


def test_a_recording_says_whose_pico_it_is(begun: tuple[Journal, Match, Saving]) -> None:
    _, match, _ = begun
    match.close()
    assert read(match.recording).metadata["pico"] == "E661"


def test_a_pause_is_saved_though_nothing_is_played(begun: tuple[Journal, Match, Saving]) -> None:
    """Also with no clock, whose time is kept with the entries."""
    journal, match, saving = begun
    for do, paused in (("pause", True), ("go on", False)):
        match.step(Report("page", 2, Ruling(do)))
        unsaved = [match.unsaved]
        saving.finish(match)
        unsaved.append(match.unsaved)
        assert unsaved == [True, False]
        saved = journal.open_match()
        assert saved is not None
        assert (saved.paused, saved.entries) == (paused, ())
