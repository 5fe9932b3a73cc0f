"""Bits that flip on the card: `python -m tests.benchmarks.flips [N] [SEED]`.

Plays a game of each kind into a journal and a recording. Then N (1,000) times one bit of
the journal flips (closed, or as a killed process leaves it, with its WAL), and N times the
recording is mutated
(bits, bytes, a lost sector, a cut, a part twice, out of order or missing); each time the game is
opened as a start of the daemon opens it. Counted is what became of it:

    whole     the game as it was acknowledged, with or without a word
    refused   in words, with nothing begun
    told      another game than that, and people are told
    WRONG     another game, and nobody hears of it; or an error that is none of ours

A mutated recording is replayed as well: that must say what is wrong with it, or come to the same.
"""

import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from hexboard.board import find, load
from hexboard.daemon.dealing import Dealing
from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.opening import Opening
from hexboard.daemon.run import Run
from hexboard.facts import Body, Declare, Report, Resume, Ruling
from hexboard.game.match import encode_entry
from hexboard.record.replay import Replay
from hexboard.settings import Settings
from hexboard.table.effects import Commit
from hexboard.words import Value, say
from hexboard.words.errors import HexboardError

GAMES: dict[str, tuple[str, dict[str, Value]]] = {
    "hextraction": ("hextraction-22", {}),
    "hexalma": ("hexhex-5", {}),
    "bad-santa-hex": ("rhombus-11", {}),
    "hexel": ("table", {"hands": "dealt"}),
    "knee-deep": ("flowers-31", {}),
}
TURNS = 40


class Played:
    """A game on the disk, and what it came to."""

    def __init__(self, folder: Path, name: str, seed: int, turns: int = TURNS) -> None:
        board, options = GAMES[name]
        self.name, self.folder = name, folder / name
        self.board = load(find(board))
        self.options = options
        self.folder.mkdir()
        self.live = folder / f"{name}-live"
        self.entries = self._play(random.Random(seed), turns)

    def _play(self, dice: random.Random, turns: int) -> tuple[str, ...]:
        opening = self.opening(self.folder, Notices([], lambda: None))
        journal = opening.journal()
        begin = opening.first(journal)
        match = Match(
            self.board, begin, journal, self.folder / "recordings", print, self.board.hash
        )
        step(match, "table", begin)
        dealing = Dealing(None)
        for _ in range(4 * turns):
            view = match.view
            names = [view.position.name(action) for action in view.position.legal]
            if view.chance:
                step(match, "dealer", dealing.next(view))
            elif names and match.journalled < turns:
                step(match, "page 1", said(dice.choice(names)))
        match.close()
        shutil.copytree(self.folder, self.live)  # as a killed process leaves it: with the WAL
        saved = journal.open_match()
        journal.close()
        assert saved is not None
        assert len(saved.entries) > 5, (self.name, saved)
        return saved.entries

    def opening(self, folder: Path, notices: Notices) -> Opening:
        run = Run(self.board, folder, Settings(), self.name, self.options)
        return Opening(run, self.board, notices)

    def opened(self, folder: Path) -> str:
        """What becomes of the game in `folder` at a start."""
        notices = Notices([], lambda: None)
        try:
            opening = self.opening(folder, notices)
            journal = opening.journal()
        except HexboardError:
            return "refused"
        except Exception as error:
            return f"WRONG: {error!r}"
        try:
            begin = opening.first(journal)
        except Exception as error:
            return f"WRONG: {error!r}"
        finally:
            journal.close()
        if isinstance(begin, Resume) and begin.entries == self.entries:
            return "whole, told" if list(notices) else "whole"
        texts = " ".join(map(say, notices))
        return f"told: {texts[:300]}" if texts else f"WRONG: {begin}"


def said(name: str) -> Declare | Ruling:
    """A move; of a tile, which a hand would have to lay first, that it lies there."""
    what, *where = name.split()
    if what == "play" and len(where) == 3:
        tile, slot, turned = where
        return Ruling(f"tile {slot} {tile} {turned}", "host", "it lies there")
    return Declare(-1, name)


def step(match: Match, source: str, body: Body) -> None:
    for effect in match.step(Report(source, time.monotonic_ns(), body)):
        if isinstance(effect, Commit):
            match.commit(effect)
            match.writing()()
            match.saved()


def flipped(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    at = dice.randrange(8 * len(data))
    data[at // 8] ^= 1 << at % 8
    path.write_bytes(data)


def mutated(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    at, more = (dice.randrange(len(data)) for _ in range(2))
    first, last = min(at, more), max(at, more)
    match dice.randrange(7):
        case 0:
            data[at] ^= 1 << dice.randrange(8)
        case 1:
            data[at : at + 20] = dice.randbytes(20)
        case 2:
            data[at & ~511 : (at & ~511) + 512] = bytes(512)
        case 3:
            del data[at:]
        case 4:
            del data[first:last]
        case 5:
            data[last:last] = data[first:last]
        case 6:
            parts = [data[:first], data[last:], data[first:last]]
            data = bytearray().join(parts)
    path.write_bytes(data)


def replayed(path: Path, played: Played) -> str:
    """Whether a mutated recording is another game without saying so."""
    try:
        replay = Replay(path)
        for _ in replay:
            pass
        entries = tuple(encode_entry(entry).decode() for entry in replay.match.entries)
        outcome = replay.outcome
    except HexboardError:
        return "replay refused"
    except Exception as error:
        return f"WRONG replay: {error!r}"
    if outcome.damage or outcome.differences:
        return "replay damage told"
    same = entries[: len(played.entries)] == played.entries  # what follows was provisional
    return "replay the same" if same else "WRONG replay"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    dice = random.Random(seed)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        games = [Played(folder, name, seed) for name in GAMES]
        print("entries:", {game.name: len(game.entries) for game in games}, f"seed {seed}")
        for what in ("journal", "recording"):
            became: Counter[str] = Counter()
            for k in range(count):
                game = games[k % len(games)]
                trial = folder / "trial"
                shutil.rmtree(trial, ignore_errors=True)
                shutil.copytree(game.live if dice.random() < 0.5 else game.folder, trial)
                found = []
                if what == "journal":
                    wal = trial / f"{game.name}.db-wal"
                    flipped(
                        wal if wal.exists() and dice.random() < 0.5 else trial / f"{game.name}.db",
                        dice,
                    )
                else:
                    path = next((trial / "recordings").glob("*.mcap"))
                    mutated(path, dice)
                    found.append(replayed(path, game))
                found.append(game.opened(trial))
                for one in found:
                    became[one.split(":")[0]] += 1
                    if "WRONG" in one or one.startswith("told"):
                        wrong.append(f"{what} {k} {game.name}: {one}")
            print(f"{count} {what}s:", dict(became.most_common()))
    for line in wrong[:20]:
        print(line)
    print(f"{sum('WRONG' in line for line in wrong)} silently wrong")


if __name__ == "__main__":
    main()
