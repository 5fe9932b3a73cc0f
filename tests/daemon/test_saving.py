"""Saving: what stands when hexboard ends, while a slow disk still writes what stood before."""

import threading
from pathlib import Path

from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.room import Room
from hexboard.daemon.saving import Saving
from hexboard.facts import Declare, Report
from hexboard.table.effects import Commit
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


def test_what_stands_at_the_end_is_saved_however_slow_the_disk_is(tmp_path: Path) -> None:
    played = Played(tmp_path, "hexalma", 3, turns=8)
    state = tmp_path / "state"
    state.mkdir()
    notices = Notices([], lambda: None)
    opening = played.opening(state, notices)
    journal = opening.journal()
    begin = opening.new(journal)
    match = Match(played.board, begin, journal, state / "recordings", print, played.board.hash)
    match.step(Report("table", 1, begin))
    gate = threading.Event()
    journal._db.create_function("disk", 0, lambda: gate.wait(PATIENCE))
    journal._db.execute(
        "CREATE TEMP TRIGGER slow AFTER INSERT ON main.entry BEGIN SELECT disk(); END"
    )
    room = Room(state, 10**9, notices, print)
    saving = Saving(notices, lambda source, body: None, room, lambda: None)
    for _ in range(2):
        play(match)
        saving.save(match)
    assert match.journalled == 0
    gate.set()
    saving.finish(match)
    saving.close()
    saved = journal.open_match()
    match.close()
    journal.close()
    assert saved is not None
    assert len(saved.entries) == match.journalled == 2
