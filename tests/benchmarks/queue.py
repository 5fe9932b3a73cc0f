"""Workers of a queue beside the local pool: `python -m tests.benchmarks.queue [EVENINGS [TURNS]]`.

Plays so many seeded evenings (24 of 60 turns) and archives them, each time into a new folder: by a
pool of two processes; by one worker of a queue, by two, by two of which one is killed half-way (a
real nats-server on this machine). Every archive is held against the pool's, row for row. Where
`distributed` is installed, Dask does the same jobs with two processes, without a network store: the
recordings are read from the same disk. Beside it: the reference loop.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hexboard.board import find, load
from hexboard.commands.archive.code import code_digest
from hexboard.commands.archive.folder import Archive
from hexboard.commands.archive.replaying import JobOutcome, ReplayJob, chosen, paths_in, replayed
from hexboard.games.hextraction.simulator.evening import evening
from tests.benchmarks import reference
from tests.nats import NatsServer
from tests.running import HEXBOARD
from tests.shell.test_queue import ready, run, same

NOBODYS = Path("games-of-nobody")


def archived(recordings: Path, into: Path, *words: object) -> float:
    """Seconds of the whole command."""
    begun = time.monotonic()
    subprocess.run(
        [*HEXBOARD, "archive", *map(str, (recordings, "-o", into, *words))],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.monotonic() - begun


@contextmanager
def workers(url: str, count: int) -> Iterator[list["subprocess.Popen[str]"]]:
    """So many of one process each, ready."""
    with ExitStack() as stack:
        words = ("worker", url, "--workers", 1)
        begun = [stack.enter_context(run(*words)) for _ in range(count)]
        for it in begun:
            ready(it)
        yield begun


def killed_half_way(recordings: Path, into: Path, url: str, evenings: int) -> float:
    """Seconds in which two workers archive all, one of them killed when half is done."""
    begun = time.monotonic()
    with (
        workers(url, 2) as (first, _),
        run("archive", recordings, "-o", into, "--queue", url) as filling,
    ):
        while len([*into.glob("*/recordings.parquet")]) < evenings // 2:
            assert filling.poll() is None
            time.sleep(0.05)
        os.killpg(first.pid, signal.SIGKILL)
        _, said = filling.communicate()
        assert filling.returncode == 0, said
    return time.monotonic() - begun


def by_dask(recordings: Path, into: Path) -> float:
    """The same jobs by two processes of Dask, scheduler and all."""
    dask: Any = import_module("distributed")
    begun = time.monotonic()
    archive = Archive(into.resolve())
    with archive.half() as half:
        wanted = chosen(paths_in([recordings]), archive, code_digest(NOBODYS)).wanted
        jobs = [ReplayJob(*it, archive.path, half.resolve(), NOBODYS) for it in wanted.values()]
        with (
            dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            dask.Client(cluster) as client,
        ):
            for future in dask.as_completed(client.map(_replayed, jobs)):
                assert future.result().why is None
    return time.monotonic() - begun


def _replayed(job: ReplayJob) -> JobOutcome:
    return replayed(job, lambda more: None)


def main() -> None:
    evenings, turns = [*map(int, sys.argv[1:]), *(24, 60)[len(sys.argv) - 1 :]]
    board = load(find("hextraction-22"))
    with TemporaryDirectory() as name, ExitStack() as stack:
        here = Path(name)
        recordings, local = here / "in", here / "local"
        for seed in range(evenings):
            evening(board, recordings / str(seed), 20 + seed, turns, 1500, lambda turn: None)
        size = sum(it.stat().st_size for it in recordings.rglob("*.mcap"))
        print(f"{evenings} evenings of {turns} turns, {size / 1e6:.1f} MB", flush=True)
        pool = archived(recordings, local, "--workers", 2)
        print(f"pool of two processes: {pool:.1f} s", flush=True)
        took = dict[int, float]()
        for count in (1, 2):
            into = here / f"by-{count}"
            server = stack.enter_context(NatsServer(here / f"jetstream-{count}"))
            with workers(server.url, count):
                took[count] = archived(recordings, into, "--queue", server.url)
            print(
                f"queue, workers {count}: {took[count]:.1f} s, same {same(into, local)}", flush=True
            )
        print(f"two are {took[1] / took[2]:.2f} of one, {took[2] / pool:.2f} of the pool's time")
        server = stack.enter_context(NatsServer(here / "jetstream-killed"))
        into = here / "killed"
        seconds = killed_half_way(recordings, into, server.url, evenings)
        print(f"one of two killed half-way: {seconds:.1f} s, same {same(into, local)}", flush=True)
        if find_spec("distributed") is not None:
            took_dask = by_dask(recordings, here / "dask")
            print(f"Dask, two processes: {took_dask:.1f} s, same {same(here / 'dask', local)}")
    print(f"reference loop {reference():.1f} ms, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
