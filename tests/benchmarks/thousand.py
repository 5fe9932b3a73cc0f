"""A thousand evenings of three hours: `python -m tests.benchmarks.thousand [EVENINGS [FOLDER]]`.

Each is a seeded evening of 180 turns of Hextraction, a minute each as people take them, so that no
two are the same. They are made in FOLDER (one of its own that is thrown away), where those that are
there are taken as they are: a run that was ended goes on. Two workers of a queue (a real
nats-server on this machine) archive them; one is killed half-way. Then each evening must be in the
archive once, with as many facts and edges as were counted while it was made, and nothing beside
(else status 1); and four ready questions are asked over all. What two workers are to one is
measured over one evening in ten. Beside it: the reference loop. With two cores it takes an hour and
a half.
"""

import json
import os
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from hexboard.board import find, load
from hexboard.demo.recorded import recorded
from hexboard.facts import Edge, Fact
from hexboard.games.hextraction.simulator.evening import Evening
from hexboard.games.hextraction.simulator.player import position_of
from hexboard.record.transcript import Told
from tests.benchmarks import reference
from tests.benchmarks.queue import archived, killed_half_way, workers
from tests.nats import NatsServer
from tests.running import hexboard

TURNS, THOUGHT_S = 180, 52
"""A turn's balls roll, and come to rest, in the other eight seconds."""
SAMPLE = 10
"""One in so many is archived by one worker, and by two, to compare them."""
QUESTIONS = ("first-player", "asking-tiles", "questions", "ageing-sensors")


class Slow(Evening):
    """Before each turn people think."""

    _thought = 0  # the last turn that they have thought about

    def _act(self) -> None:
        if (turn := position_of(self.transcript.view).turn) > self._thought:
            self._thought = turn
            moved = list(self.world.run(self.world.now + THOUGHT_S * 10**9))
            assert not moved, moved
        super()._act()


def made(folder: Path, seed: int) -> Path:
    """One evening, and beside it what was counted while it was played."""
    here = folder / f"{seed:04d}"
    kept = here / "counted.json"
    if not kept.exists():
        shutil.rmtree(here, ignore_errors=True)  # of a run that was ended
        board, facts, edges = load(find("hextraction-22")), 0, 0
        with recorded(board, here, f"evening-{seed}") as (_, keep):

            def counts(fact: Fact, told: list[Told]) -> None:
                nonlocal facts, edges
                facts, edges = facts + 1, edges + isinstance(fact.body, Edge)
                keep(fact, told)

            played = Slow(board, seed, 1500, counts)
            played.play(TURNS)
        hours = played.world.now / 3.6e12
        kept.write_text(json.dumps({"facts": facts, "edges": edges, "hours": hours}))
    return kept


def counted(archive: Path) -> dict[str, tuple[int, int]]:
    """Facts and edges in an archive, by the match."""
    with duckdb.connect() as connection:
        recordings, facts = (str(archive / "*" / f"{it}.parquet") for it in ("recordings", "facts"))
        found = connection.execute(
            f"SELECT match, count(*), count(*) FILTER (kind = 'edge') FROM '{facts}'"
            f" JOIN '{recordings}' USING (recording) GROUP BY recording, match"
        ).fetchall()
    told = {match: (facts, edges) for match, facts, edges in found}
    assert len(told) == len(found), "an evening is there twice"
    return told


def main() -> None:
    evenings = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with ExitStack() as stack:
        here = Path(stack.enter_context(TemporaryDirectory()))
        folder = (Path(sys.argv[2]) if len(sys.argv) > 2 else here) / f"evenings-{evenings}"
        servers = [stack.enter_context(NatsServer(here / f"jetstream-{n}")) for n in range(3)]
        begun = time.monotonic()
        with ProcessPoolExecutor(2) as pool:
            paths = list(pool.map(partial(made, folder), range(evenings)))
        known = {f"evening-{n}": json.loads(it.read_text()) for n, it in enumerate(paths)}
        size = sum(it.stat().st_size for it in folder.rglob("*.mcap"))
        hours = sum(it["hours"] for it in known.values())
        print(f"{evenings} evenings, {hours:.0f} hours, {size / 1e6:.0f} MB,", end=" ")
        print(f"{sum(it['facts'] for it in known.values()):,} facts", end=" ")
        print(f"({time.monotonic() - begun:.0f} s)", flush=True)
        for path in paths[::SAMPLE]:
            shutil.copytree(path.parent, here / "sample" / path.parent.name)
        took = dict[int, float]()
        for count, server in zip((1, 2), servers, strict=False):
            with workers(server.url, count):
                into = here / f"by-{count}"
                took[count] = archived(here / "sample", into, "--queue", server.url)
        print(f"of one in {SAMPLE}: one worker {took[1]:.0f} s, two {took[2]:.0f} s,", end=" ")
        print(f"{took[1] / took[2]:.2f} times as fast (wanted 1.7)", flush=True)
        seconds = killed_half_way(folder, here / "all", servers[2].url, evenings)
        print(f"all by two, of which one is killed half-way: {seconds:.0f} s", flush=True)
        found = counted(here / "all")
        wrong = [it for it, was in known.items() if found.get(it) != (was["facts"], was["edges"])]
        strange = found.keys() - known.keys()
        print(f"lost or otherwise: {wrong}, not ours: {strange}", flush=True)
        for question in QUESTIONS:
            begun = time.monotonic()
            assert hexboard("ask", question, "--archive", here / "all").returncode == 0
            print(f"{question}: {time.monotonic() - begun:.2f} s (wanted 2)", flush=True)
    print(f"reference loop {reference():.1f} ms, load {os.getloadavg()[0]:.1f}")
    sys.exit(1 if wrong or strange else 0)


if __name__ == "__main__":
    main()
