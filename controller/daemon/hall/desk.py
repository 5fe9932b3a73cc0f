"""The tournament's desk: takes results out of what boards told into the tournament's file.

What it has heard it hears again after a start: the file says from where. Who changes the file
meanwhile, by a command or another program, is not in its way.
"""

import contextlib
import math
import time
from collections.abc import Iterator
from pathlib import Path

from hexboard.daemon.hall.outcomes import HallRefusal, HallStory, settled
from hexboard.daemon.hall.tournament import (
    BYES,
    RESTS,
    TournamentPlace,
    closed,
    pairings,
    standings,
    text,
)
from hexboard.record.hall_journal import HallBegun, HallEntry, HallOver, HallTold
from hexboard.record.trf import Trf, read_trf, write_trf
from hexboard.words import Message, say
from hexboard.words.errors import BadFile, HexboardError

AGAIN_S = 2.0
"""So long after a failure it is tried again."""
STORIES = 200
"""So many matches of a board are remembered."""


class HallDesk:
    """A tournament's desk, at its file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.trf: Trf | None = None
        self.places: list[TournamentPlace] = []
        self.refused: list[HallRefusal] = []
        self.trouble: Message | None = None
        """Why the file cannot be read or written now."""
        self._told: dict[str, list[HallStory]] = {}
        self._fresh = True
        self._seen: tuple[int, ...] = ()
        self._again = math.inf  # monotonic s

    @property
    def first(self) -> int:
        """From here on the hall's stream has to be read; 0 where nothing of it is waited for."""
        set = self.trf.set if self.trf else ()
        newest = self.trf.paired if self.trf else 0
        return min((it.stream + 1 for it in set if it.round == newest and it.board), default=0)

    def hear(self, board: str, told: HallTold) -> None:
        """What a board told."""
        stories = self._told.setdefault(board, [])
        self._fresh = True
        if isinstance(told, HallBegun):
            stories.append(HallStory(told.start.match, told.start.game, told.n))
        else:
            _went_on(stories, told)
        del stories[:-STORIES]

    def forget(self) -> None:
        """The stream is another one: all of it is told again."""
        self._told.clear()

    def look(self) -> bool:
        """Whether there is anything new, in the file or from the hall; the file has it then. What
        failed is tried again."""
        seen = self._stat()
        if not self._fresh and seen == self._seen and time.monotonic() < self._again:
            return False
        self._fresh, self._seen = False, seen
        try:
            self._settle()
            self.trouble = None
        except BadFile as error:
            self.trouble = error.mistakes[0]
        except HexboardError as error:
            self.trouble = error.message
        self._again = time.monotonic() + AGAIN_S if self.trouble else math.inf
        return True

    def _stat(self) -> tuple[int, ...]:
        try:
            it = self.file.stat()
        except OSError:
            return ()
        return it.st_mtime_ns, it.st_size, it.st_ino

    def _settle(self) -> None:
        with changing(self.file):
            self._seen = self._stat()  # before it is read: what comes meanwhile is seen next time
            before = read_trf(self.file)
            after, refused = settled(before, self._told)
            if after != before:
                write_trf(self.file, text(after))
                self._seen = self._stat()
        if after != self.trf:
            self.places = standings(after)
        self.trf, self.refused = after, refused

    def sheet(self) -> dict[str, object]:
        """What pages are told."""
        trf = self.trf
        why = say(self.trouble) if self.trouble else ""
        if trf is None:
            return {"type": "tournament", "why": why, "name": self.file.name}
        return {"type": "tournament", "why": why, **shown(trf, self.places, self.refused)}


def _went_on(stories: list[HallStory], told: HallEntry | HallOver) -> None:
    """What a board told of a match that has begun."""
    story = next((it for it in reversed(stories) if it.match == told.match), None)
    if isinstance(told, HallEntry):
        if story is None:  # it began before we heard: right before its entries, or still earlier
            stories.append(HallStory(told.match, "", told.n - told.k - 1))
        else:
            story.seats, story.scores, story.ended = (), (), 0
    elif story is not None:
        story.game, story.seats, story.scores = told.game, told.seats, told.scores
        story.ended = told.n


@contextlib.contextmanager
def changing(file: Path) -> Iterator[None]:
    """Nobody else changes the file meanwhile. Raises `HexboardError` where it cannot be written."""
    import fcntl

    lock = file.with_name(f".{file.name}.lock")
    try:
        with open(lock, "a", encoding="ascii") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise HexboardError("trf.unwritten", file=str(file), why=error.strerror or "") from None


def shown(
    trf: Trf,
    places: list[TournamentPlace],
    refused: list[HallRefusal] | None = None,
    round: int | None = None,
) -> dict[str, object]:
    """A tournament as programs and pages have it: a round, else the newest, and the table."""
    why = {it.table: say(it.why) for it in refused or ()}
    round = trf.paired if round is None else round
    pairs = pairings(trf, round)
    return {
        "name": trf.name,
        "game": trf.hall.game,
        "round": round,
        "rounds": trf.rounds,
        "after": closed(trf),
        "pairings": [
            {
                "table": it.table,
                "seats": [it.white.name, it.black.name],
                "board": it.board,
                "result": it.result,
                "why": why.get(it.table, "") if it.open else "",
            }
            for it in pairs
            if it.black is not None
        ],
        **{
            kind: [it.white.name for it in pairs if it.kind == kind]
            for kind in (*BYES.values(), RESTS)
        },
        "places": [
            {
                "rank": it.rank,
                "name": it.name,
                "points": it.points,
                "buchholz": it.buchholz,
                "sonneborn": it.sonneborn,
                "away": it.away,
            }
            for it in places
        ],
    }
