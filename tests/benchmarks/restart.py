"""What a restart costs: `python -m tests.benchmarks.restart [GAME …]`; of all five without one.

A match of 10,000 entries, moves at random and one in ten taken back, stands in a journal with a
recording beside it that says so, as a kill leaves both. Then what a start does before people may go
on, three times: open the journal, hold it against the recording, play it, have the table. Processor
time, the least of the three; and the same with the match played already, which is what a snapshot
could save at most (docs/decisions/0011). At last what matches that are over cost a start.
"""

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from hexboard.board import plain
from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening
from hexboard.daemon.run import Run
from hexboard.facts import Report, Resume, Start
from hexboard.game import registry
from hexboard.game.match import Back, Entry, Played, encode_entry
from hexboard.game.match import Match as Moves
from hexboard.record.chain import linked
from hexboard.record.journal import Journal
from hexboard.settings import Settings
from hexboard.table.ledger import played
from tests.benchmarks import measured, reference

GAMES = ("hextraction", "hexalma", "bad-santa-hex", "hexel", "knee-deep")
ENTRIES, ROUNDS = 10_000, 3


def entries(game: str, count: int, seed: int = 1) -> tuple[list[Entry], str]:
    """Moves at random, one in ten taken back, and more where the game is over; the position."""
    found = registry.find(game)
    board, dice = plain(found.board({})), random.Random(seed)
    match = Moves(found, found.start(board, {}), lambda text: found.read(text, board, {}))
    while len(match.entries) < count:
        names = [match.position.name(action) for action in match.position.legal]
        if not names or (match.counting and dice.random() < 0.1):
            lately = match.counting[-20:] if not names else match.counting[-1:]
            match.add(Back(lately[0]))
        else:
            match.add(Played(dice.choice(names)))
    return match.entries, str(match.position)


def laid_down(state: Path, run: Run, game: str, count: int) -> None:
    """The journal and the recording of a match of so many entries."""
    opening = Opening(run, run.board, Notices([], lambda: None))
    journal = opening.journal()
    start = opening.new(journal)
    made, position = entries(game, count)
    texts = tuple(encode_entry(entry).decode() for entry in made)
    journal.commit(start.match, 0, texts, position)
    file = run.board.hash
    match = Match(run.board, Resume(start, texts), journal, state / "recordings", print, file)
    step(match, Resume(start, texts))
    match.close()
    journal.close()


def step(match: Match, begin: Start | Resume) -> None:
    match.step(Report("table", time.monotonic_ns(), begin))


def restarted(state: Path, run: Run, count: int, known: bool = False) -> float:
    """Processor time of a start, s; with the match `known` from the start before, not played."""
    if not known:
        played.cache_clear()  # as in a new process
    linked.cache_clear()
    begun = time.process_time()
    notices = Notices([], lambda: None)
    opening = Opening(run, run.board, notices)
    journal = opening.journal()
    begin = opening.begin(journal)
    match = Match(run.board, begin, journal, state / "recordings", print, run.board.hash)
    step(match, begin)
    took = time.process_time() - begun
    assert match.journalled == count, list(notices)
    assert not list(notices)
    match.close()
    journal.close()
    return took


def least(game: str) -> tuple[float, float]:
    """Processor time of a start, s, and of one that need not play: the least of the rounds."""
    board = plain(registry.find(game).board({}))
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state"
        state.mkdir()
        run = Run(board, state, Settings(), game)
        laid_down(state, run, game, ENTRIES)
        times = list[float]()
        for number in range(2 * ROUNDS):
            copy = Path(folder) / str(number)
            shutil.copytree(state, copy)
            again = msgspec.structs.replace(run, state=copy)
            times.append(restarted(copy, again, ENTRIES, known=number % 2 > 0))
        return min(times[::2]), min(times[1::2])


def over(game: str, matches: int, count: int) -> tuple[int, float]:
    """A journal with so many matches of so many entries that are over: its bytes, and the
    processor time, s, of opening, checking and copying it."""
    made, position = entries(game, count)
    texts = tuple(encode_entry(entry).decode() for entry in made)
    with tempfile.TemporaryDirectory() as folder:
        path, before = Path(folder) / "journal.db", ""
        journal = Journal(path)
        for number in range(matches + 1):
            name = f"match {number}"
            journal.begin(name, b"{}", before)
            if number < matches:
                journal.commit(name, 0, texts, position)
            before = name
        journal.close()
        begun = time.process_time()
        journal = Journal(path)
        journal.check()
        journal.back_up(path.with_name("backup.db"))
        took = time.process_time() - begun
        journal.close()
        return path.stat().st_size, took


def main() -> None:
    for game in sys.argv[1:] or GAMES:
        took, known = least(game)
        print(f"{game}, {ENTRIES:,} entries: a restart takes {took:.2f} s of the processor")
        print(f"    {known:.3f} of these are not for playing it again")
        measured(f"{game}: restart at {ENTRIES:,} entries, s", took, most=0.3)
    for number in (1, 100):
        size, took = over("hextraction", number, 1000)
        print(f"{number} matches of 1,000 entries, over: {size / 1e6:.1f} MB, {took * 1000:.1f} ms")
    print(f"reference loop {reference():.1f} ms")


if __name__ == "__main__":
    main()
