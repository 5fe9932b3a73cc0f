"""`hexboard archive --queue` and `hexboard worker`: as people run them, with a real nats-server."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
import nats
import nats.js.errors
import pytest

from hexboard.board import find, load
from hexboard.games.hextraction.simulator.evening import evening
from hexboard.record.rows import TABLES
from tests.nats import NatsServer
from tests.running import HEXBOARD, PATIENCE, eventually, hexboard

EVENINGS = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("recordings")
    board = load(find("hextraction-22"))
    for seed in range(EVENINGS):
        evening(board, here / str(seed), 70 + seed, 6, 1500, lambda turn: None)
    return here


@pytest.fixture(scope="module")
def local(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one computer makes of them."""
    into = tmp_path_factory.mktemp("local")
    assert hexboard("archive", folder, "-o", into, "--workers", 1).returncode == 0
    return into


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path / "jetstream") as running:
        yield running


@contextmanager
def run(*words: object) -> Iterator["subprocess.Popen[str]"]:
    """A command in a group of its own, as each terminal makes one; killed at the end."""
    command = subprocess.Popen(
        [*HEXBOARD, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with command:
        try:
            yield command
        finally:
            if command.poll() is None:
                os.killpg(command.pid, signal.SIGKILL)


def ready(command: "subprocess.Popen[str]") -> str:
    """The first line that it says, as soon as it does."""
    assert command.stderr is not None
    return command.stderr.readline()


def rows(archive: Path, table: str) -> list[str]:
    """Every row of a table as DuckDB writes it, in order."""
    with duckdb.connect() as connection:
        files = [str(path) for path in archive.glob(f"*/{table}.parquet")]
        found = connection.read_parquet(files).fetchall()
    return sorted(map(repr, found))


def same(archive: Path, other: Path) -> bool:
    """Nothing is lost, nothing is there twice, nothing is otherwise."""
    return all(rows(archive, table) == rows(other, table) for table in TABLES)


@pytest.mark.long
def test_two_workers_make_what_one_computer_makes(
    folder: Path, local: Path, server: NatsServer, tmp_path: Path
) -> None:
    into = tmp_path / "archive"
    with (
        run("worker", server.url, "--workers", 1) as one,
        run("worker", server.url, "--workers", 1) as two,
    ):
        assert ready(one) == ready(two)
        done = hexboard("archive", folder, "-o", into, "--queue", server.url)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("3 recordings replayed (")
        again = hexboard("archive", folder, "-o", into, "--queue", server.url)
        assert again.stdout.startswith("0 recordings replayed (0 facts), 3 known already")
        said = []
        for it in (one, two):
            os.killpg(it.pid, signal.SIGINT)
            said += it.communicate()[1].splitlines()
            assert it.returncode == 130
    assert sorted(line.split(" ")[1] for line in said if "facts" in line) == ["replayed"] * 3
    assert same(into, local)
    assert [path for path in into.iterdir() if path.name.startswith(".")] == []


@pytest.mark.long
def test_what_goes_wrong_is_a_sentence(folder: Path, tmp_path: Path) -> None:
    for command in (("worker",), ("archive", folder, "-o", tmp_path / "a", "--queue")):
        nobody = hexboard(*command, "nats://127.0.0.1:1")
        assert nobody.returncode == 1
        assert nobody.stderr.startswith("No NATS server answers at nats://127.0.0.1:1 (")
        assert "Is it running?" in nobody.stderr
        with NatsServer(None) as forgetful:
            told = hexboard(*command, forgetful.url)
        assert told.returncode == 1
        assert told.stderr.endswith("Start it with JetStream: nats-server -js\n")
        strange = hexboard(*command, "nats://[")
        assert (strange.returncode, len(strange.stderr.splitlines())) == (1, 1)
    both = hexboard("archive", folder, "--queue", "nats://127.0.0.1:1", "--workers", 2)
    assert both.returncode == 2
    assert "with --queue it is the workers that say how many they are" in both.stderr


@pytest.mark.long
def test_what_a_stranger_puts_into_the_queue_is_left_out(
    folder: Path, server: NatsServer, tmp_path: Path
) -> None:
    """An answer of no archive, jobs that are none; a file name that leads elsewhere."""
    into, outside = tmp_path / "archive", tmp_path / "outside.mcap"

    async def lie(code: str, content: str) -> None:
        client = await nats.connect(server.url)
        jetstream = client.jetstream()
        objects = await jetstream.object_store("hexboard-archive")
        await objects.put(f"out.{code}.{content}", b"\x93not an answer")
        await jetstream.publish(f"hexboard.jobs.{code}.abc", b"{not json")
        named = {"recording": "r", "content": "evil", "bytes": 1, "replayed_by": code}
        job = {"file": str(outside), "named": named}
        name = str(outside).encode()
        await objects.put("in.evil", b"\x81\xd9" + bytes([len(name)]) + name + b"\xc4\x02hi")
        await jetstream.publish(f"hexboard.jobs.{code}.evil", json.dumps(job).encode())
        await client.close()

    async def asked() -> tuple[str, str]:
        """The code and the content of a job that waits. It is looked whether there is one before it
        is asked for: Debian's nats-server 2.9.10 crashes where that is done while somebody else
        makes the stream."""
        client = await nats.connect(server.url)
        jetstream, messages = client.jetstream(), 0
        while not messages:
            await asyncio.sleep(0.05)
            with suppress(nats.js.errors.NotFoundError):
                messages = (await jetstream.stream_info("hexboard-jobs")).state.messages
        kept = await jetstream.get_msg("hexboard-jobs", 1)
        await client.close()
        assert kept.data is not None
        named = json.loads(kept.data)["named"]
        return named["replayed_by"], named["content"]

    with run("archive", folder, "-o", into, "--queue", server.url) as filling:
        asyncio.run(lie(*asyncio.run(asyncio.wait_for(asked(), PATIENCE))))
        with run("worker", server.url) as worker:
            _, wrong = filling.communicate()
            assert filling.returncode == 1
            os.killpg(worker.pid, signal.SIGINT)
            _, said = worker.communicate()
    assert "Traceback" not in wrong + said
    assert "is left out: the queue brought something that is none of hexboard's" in wrong
    assert "the queue brought something that is none of hexboard's" in said
    assert not outside.exists()
    assert len(rows(into, "recordings")) == EVENINGS - 1
    assert hexboard("archive", folder, "-o", into, "--workers", 1).returncode == 0


@pytest.mark.long
def test_a_killed_worker_loses_nothing(
    folder: Path, local: Path, server: NatsServer, tmp_path: Path
) -> None:
    into = tmp_path / "archive"
    with run("archive", folder, "-o", into, "--queue", server.url) as filling:
        with run("worker", server.url, "--workers", 1) as killed:
            ready(killed)
            eventually(lambda: replaying(killed.pid))
            os.killpg(killed.pid, signal.SIGKILL)
        with run("worker", server.url, "--workers", 1):
            said, wrong = filling.communicate()
    assert (filling.returncode, wrong) == (0, "")
    assert said.startswith("3 recordings replayed (")
    assert same(into, local)


def replaying(pid: int) -> bool:
    """Whether a worker has begun a process for a recording."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(child) for path in listed for child in path.read_text().split()]
    return any(b"spawn_main" in Path(f"/proc/{it}/cmdline").read_bytes() for it in found)


@pytest.mark.long
def test_a_killed_server_loses_nothing(
    folder: Path, local: Path, server: NatsServer, tmp_path: Path
) -> None:
    into = tmp_path / "archive"
    with (
        run("archive", folder, "-o", into, "--queue", server.url) as filling,
        run("worker", server.url, "--workers", 1) as worker,
    ):
        ready(worker)
        eventually(lambda: replaying(worker.pid))
        server.kill()
        assert "The queue does not answer" in ready(filling)
        server.start()
        said, wrong = filling.communicate()
    assert filling.returncode == 0
    assert "Traceback" not in wrong
    assert said.startswith("3 recordings replayed (")
    assert same(into, local)


@pytest.mark.long
def test_where_nobody_works_it_is_said_and_what_waits_is_done_later(
    folder: Path, local: Path, server: NatsServer, tmp_path: Path
) -> None:
    into, other = tmp_path / "archive", tmp_path / "other"
    with run("archive", folder, "-o", into, "--queue", server.url) as filling:
        assert ready(filling).startswith("No worker takes the recordings that wait.")
        os.killpg(filling.pid, signal.SIGINT)
        _, wrong = filling.communicate()
    assert (filling.returncode, wrong) == (130, "Stopped.\n")
    with run("worker", server.url, "--workers", 1) as worker:
        lines = [ready(worker) for _ in range(1 + EVENINGS)]
        assert all("replayed" in line for line in lines[1:])
    done = hexboard("archive", folder, "-o", into, "--queue", server.url)  # and nobody works
    assert done.stdout.startswith("3 recordings replayed (")
    with (
        run("archive", folder, "-o", other, "--queue", server.url) as one,
        run("archive", folder, "-o", tmp_path / "second", "--queue", server.url) as two,
        run("worker", server.url),
    ):
        assert [it.communicate()[0][:21] for it in (one, two)] == ["3 recordings replayed"] * 2
    assert same(into, local)
    assert same(other, local)
    assert same(tmp_path / "second", local)
