"""What a hall costs the table: `python -m tests.benchmarks.hall_table [--rounds 2] [--seconds 30]`.

A simulated board of Hextraction plays by itself, 20 times as fast as balls roll: without a hub,
with one, and with one that is to be told all of a long cut at the same time, by turns. The figures
are the daemon's own (`/metrics`): how late its lights are, and the processor it took.
"""

import argparse
import tempfile
import time
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

from hexboard.record.hall_journal import HallJournal
from tests.benchmarks import reference
from tests.benchmarks.hall import ENTRY, match
from tests.hall import Nats
from tests.running import Running, cpu_seconds

CUT = 120_000
"""Things that are to be told after a cut: more than are told meanwhile."""
WAYS = ("without a hub", "with a hub", "after a cut")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rounds", type=int, default=2)
    words.add_argument("--seconds", type=int, default=30)
    asked = words.parse_args()
    print(f"reference loop {reference():.0f} ms (24 when quiet)")
    for _ in range(asked.rounds):
        for way in WAYS:
            with tempfile.TemporaryDirectory() as folder:
                measure(Path(folder), way, asked.seconds)
    print(f"reference loop {reference():.0f} ms")


def measure(folder: Path, way: str, seconds: int) -> None:
    server = Nats(folder)
    server.start()
    home, state = folder / "home", folder / "state"
    home.mkdir()
    state.mkdir()
    hub = f'[hub]\nurl = "{server.url}"\nname = "one"\n' if way != WAYS[0] else ""
    (home / "settings.toml").write_text(f"settle_ms = 200\n{hub}", "utf-8")
    if way == WAYS[2]:
        with closing(HallJournal(state)) as journal:
            journal.begin(match("before"), [ENTRY] * CUT)
    words = ("--simulate", "--watch", "--speed", 20, "--port", 0, "--game", "hextraction")
    board = Running(state, *words, home=home)
    time.sleep(3)
    before, used = figures(board), cpu_seconds(board.pid)
    time.sleep(seconds)
    after, used = figures(board), cpu_seconds(board.pid) - used
    count, late_s = after["count"] - before["count"], after["sum"] - before["sum"]
    shares = {
        it: (after[it] - before[it]) / count for it in ('bucket{le="0.01"}', 'bucket{le="0.02"}')
    }
    within = ", ".join(f"{share:.1%} within {it[11:-2]} s" for it, share in shares.items())
    print(
        f"{way}: lights {1000 * late_s / count:.2f} ms late in the mean, {within} "
        f"({count:.0f} frames); {used / seconds:.1%} of a core",
        flush=True,
    )
    board.end()
    server.kill()


def figures(board: Running) -> dict[str, float]:
    """How late its lights were, as Prometheus reads it, by the end of the figure's name."""
    with urlopen(f"{board.origin}/metrics?token={board.token}") as answer:
        lines = answer.read().decode().splitlines()
    named = "hexboard_light_seconds_"
    told = (line.removeprefix(named).rpartition(" ") for line in lines if line.startswith(named))
    return {name: float(value) for name, _, value in told}


if __name__ == "__main__":
    main()
