"""Matches as a release has kept them: `python -m tests.kept X.Y.Z`.

Plays some moves of each game on a simulated board, by that hexboard itself, and puts its journal
and recording into `tests/kept/X.Y.Z/GAME`. They stay as they are: each later hexboard has to go on
with all of them (`tests/test_kept.py`). `make release ARGS=X.Y.Z` makes those of a release.
"""

import random
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.benchmarks.faults import GAMES, Evening

KEPT = Path(__file__).parent / "kept"
MOVES = 6


def keep(folder: Path) -> None:
    """One match of each game."""
    shutil.rmtree(folder, ignore_errors=True)  # of days on which it was not yet released
    for game in GAMES:
        with tempfile.TemporaryDirectory() as here:
            evening = Evening(Path(here), game, random.Random(20))
            with evening.begun() as (running, page):
                for _ in range(MOVES):
                    evening.move(page)
                running.end()
            shutil.copytree(evening.state / "recordings", folder / game / "recordings")
            journal = folder / game / f"{game}.db"
            with closing(sqlite3.connect(evening.state / journal.name)) as db:
                db.execute("VACUUM INTO ?", (str(journal),))


def matches() -> list[Path]:
    """The folders of all that are kept."""
    return sorted(path for path in KEPT.glob("*/*") if path.is_dir())


if __name__ == "__main__":
    keep(KEPT / sys.argv[1])
