"""The recording: what was put comes back, whatever happens to the process, the disk or the file."""

import errno
import gc
import io
import os
import shutil
import struct
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import msgspec
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader
from mcap.writer import CompressionType, Writer

from hexboard.record import recording, schemas, tape
from hexboard.record.recording import Record, Recorder, Recording, read
from hexboard.words import Message, say
from hexboard.words.errors import BadRecording
from tests.running import PATIENCE, eventually

TOPICS = tuple(schemas.TOPICS)
SCHEMAS = dict.fromkeys(TOPICS, b'{"type": "object"}')
ATTACHMENTS = {"board.json": b'{"cells": 22}', "photo": bytes(range(256)) * 40}
METADATA = {"match": "m1", "code": "0.1.0"}

# From the MCAP specification: the magic, then opcode and length of the header.
MAGIC = 8
HEAD = 9


def recorder(path: Path, troubles: list[Message | None] | None = None) -> Recorder:
    said = [] if troubles is None else troubles
    return Recorder(
        path, schemas=SCHEMAS, attachments=ATTACHMENTS, metadata=METADATA, trouble=said.append
    )


def sample(count: int) -> list[Record]:
    """Records that look like an evening; the payload has a hash, so that zstd finds less in it."""
    return [
        Record(
            "fact" if n % 7 else TOPICS[n % 5],
            1_000_000 * n,
            msgspec.json.encode({"n": n, "x": crc32(str(n).encode())}),
        )
        for n in range(count)
    ]


def write(path: Path, records: list[Record], every: int = 0) -> None:
    """Write them; with `every`, sync (so end a chunk) after each so many."""
    kept = recorder(path)
    for n, record in enumerate(records, 1):
        kept.put(record.topic, record.t, record.payload)
        if every and n % every == 0:
            assert kept.sync()
    kept.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Record]]:
    path = tmp_path_factory.mktemp("whole") / "evening.mcap"
    records = sample(3000)
    write(path, records, every=150)
    return path.read_bytes(), records


def header_end(data: bytes | bytearray) -> int:
    return MAGIC + HEAD + int.from_bytes(data[MAGIC + 1 : MAGIC + HEAD], "little")


# ------------------------------------------------------------------------------- there and back


def test_what_was_put_comes_back_in_order(tmp_path: Path) -> None:
    records = sample(5000)
    write(tmp_path / "a.mcap", records)
    found = read(tmp_path / "a.mcap")
    assert list(found) == records
    assert list(found) == records, "a second time"
    assert found.damage is None
    assert found.attachments == ATTACHMENTS
    assert found.metadata == METADATA


def test_order_is_of_writing_not_of_time(tmp_path: Path) -> None:
    records = [Record("fact", t, b"{}") for t in (50, 10, 30)]
    write(tmp_path / "a.mcap", records)
    assert list(read(tmp_path / "a.mcap")) == records


def test_an_evening_with_no_records_is_whole(tmp_path: Path) -> None:
    write(tmp_path / "a.mcap", [])
    found = read(tmp_path / "a.mcap")
    assert (list(found), found.damage, found.metadata) == ([], None, METADATA)


def test_damage_can_be_asked_before_reading(tmp_path: Path) -> None:
    write(tmp_path / "a.mcap", sample(10))
    assert read(tmp_path / "a.mcap").damage is None
    data = (tmp_path / "a.mcap").read_bytes()
    (tmp_path / "b.mcap").write_bytes(data[:-1])
    damage = read(tmp_path / "b.mcap").damage
    assert damage is not None
    assert dict(damage.values)["kept"] == 10


def test_another_reader_finds_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    records = sample(2000)
    before = time.time_ns()
    with_at = recorder(path)
    for record in records:
        with_at.put(record.topic, record.t, record.payload, record.t - 500)
    with_at.close()
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        messages = list(reader.iter_messages(log_time_order=False))
        assert [(c.topic, m.data) for _, c, m in messages] == [
            (r.topic, r.payload) for r in records
        ]
        offset = messages[0][2].log_time
        assert before - 1_000_000_000 < offset < time.time_ns(), "log times are the wall's"
        assert [m.log_time - offset for _, _, m in messages] == [r.t for r in records]
        assert {m.log_time - m.publish_time for _, _, m in messages} == {500}
        assert [m.sequence for _, _, m in messages] == list(range(2000))
        schema, channel, _ = messages[0]
        assert schema is not None
        assert (schema.encoding, schema.data, channel.message_encoding) == (
            "jsonschema",
            b'{"type": "object"}',
            "json",
        )
        assert {a.name: a.data for a in reader.iter_attachments()} == ATTACHMENTS
        (metadata,) = reader.iter_metadata()
        assert METADATA.items() <= metadata.metadata.items()


def keys(troubles: list[Message | None]) -> list[str]:
    """What was told; "" where it was over."""
    return [told.key if told else "" for told in troubles]


def test_an_old_recording_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    path.write_bytes(b"precious")
    troubles: list[Message | None] = []
    again = recorder(path, troubles)
    again.put("fact", 1, b"{}")
    again.close()
    assert path.read_bytes() == b"precious"
    assert keys(troubles)[-1] == "recording.stopped"


def test_a_recording_keeps_no_list_of_its_chunks(tmp_path: Path) -> None:
    """Four chunks a second for hours: a list of them is what an evening's memory grew by."""
    recorder = Recorder(
        tmp_path / "a.mcap", schemas={"fact": b"{}"}, attachments={}, metadata={}, trouble=print
    )
    chunks = 40
    for n in range(chunks):
        recorder.put("fact", n, b"{}", n)
        assert recorder.sync()
    kept = [it for it in gc.get_objects() if type(it).__name__ == "ChunkIndex"]
    recorder.close()
    assert len(kept) <= 1  # the last one is still at hand
    recording = read(tmp_path / "a.mcap")
    assert (len(list(recording)), recording.damage) == (chunks, None)


def test_sync_means_readable_by_others(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    live = recorder(path)
    for record in sample(100):
        live.put(record.topic, record.t, record.payload)
    assert live.sync()
    assert list(read(path)) == sample(100)
    live.close()
    assert live.sync() is False, "nothing syncs a closed recording"
    live.put("fact", 1, b"{}")
    assert list(read(path)) == sample(100)


# ------------------------------------------------------------------------------- no recording


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "recording.empty"),
        (b"\x89MCAP0", "recording.empty"),
        (b"\x89MCAP1", "recording.not_mcap"),
        (b'{"n": 1}\n' * 9, "recording.not_mcap"),
        (b"\x89MCAP0\r\n", "recording.empty"),
        (b"\x89MCAP0\r\n\x01\x24" + bytes(7) + b"\x08\0\0\0hexbo", "recording.empty"),
        (b"\x89MCAP0\r\n\x01\x24" + bytes(7) + b"\x04\0\0\0ros2", "recording.foreign"),
        (b"\x89MCAP0\r\n\x01" + b"\xff" * 40, "recording.foreign"),
    ],
)
def test_what_is_no_recording_is_named(tmp_path: Path, content: bytes, key: str) -> None:
    path = tmp_path / "x.mcap"
    path.write_bytes(content)
    assert refused(path) == key


def test_missing_and_directory_are_named(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.mcap") == "recording.missing"
    assert refused(tmp_path) == "recording.directory"


def test_another_programs_mcap_is_foreign(tmp_path: Path) -> None:
    out = io.BytesIO()
    other = Writer(out)
    other.start("ros2")
    other.finish()  # type: ignore[no-untyped-call]
    (tmp_path / "x.mcap").write_bytes(out.getvalue())
    assert refused(tmp_path / "x.mcap") == "recording.foreign"


def refused(path: Path) -> str:
    with pytest.raises(BadRecording) as caught:
        read(path)
    return caught.value.message.key


# ------------------------------------------------------------------------------- damage

Damage = tuple[str, float, int]


@pytest.mark.long
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    how=st.sampled_from(["truncate", "zero a page", "flip a bit", "flip bytes", "append", "cut"]),
    where=st.floats(0, 1, exclude_max=True),
    what=st.integers(0, 2**32 - 1),
)
def test_any_damage_leaves_a_prefix(
    tmp_path: Path, whole: tuple[bytes, list[Record]], how: str, where: float, what: int
) -> None:
    data, records = whole
    bad = damaged(data, how, where, what)
    path = tmp_path / "bad.mcap"
    path.write_bytes(bad)
    found = survivors(path, bad, data)
    if found is None:
        return
    kept = list(found)
    assert kept == records[: len(kept)]
    if len(kept) < len(records):
        assert found.damage is not None
        assert dict(found.damage.values)["kept"] == len(kept)
    for name, value in found.attachments.items():
        assert ATTACHMENTS[name] == value
    assert found.metadata in ({}, METADATA)
    if found.metadata != METADATA or found.attachments != ATTACHMENTS:
        assert found.damage is not None


@pytest.mark.parametrize(
    "bit", [0, 3, 7, *(pytest.param(bit, marks=pytest.mark.long) for bit in (1, 2, 4, 5, 6))]
)
def test_a_flipped_bit_in_any_opcode_leaves_a_prefix(
    tmp_path: Path, whole: tuple[bytes, list[Record]], bit: int
) -> None:
    """MCAP covers opcodes by no CRC; one bit makes a chunk an index that readers skip."""
    data, records = whole
    for at in opcodes(data):
        bad = bytearray(data)
        bad[at] ^= 1 << bit
        path = tmp_path / "bad.mcap"
        path.write_bytes(bad)
        found = survivors(path, bytes(bad), data)
        if found is not None:
            kept = list(found)
            assert kept == records[: len(kept)]
            assert len(kept) == len(records) or found.damage is not None


@pytest.mark.long
def test_every_length_and_size_may_be_absurd(
    tmp_path: Path, whole: tuple[bytes, list[Record]]
) -> None:
    data, records = whole
    path = tmp_path / "bad.mcap"
    for at in opcodes(data)[1:60]:
        for absurd in (0, 1, 2**26, 2**40, 2**63, 2**64 - 1):
            for field in (1, HEAD + 16):  # the part's length; in a chunk, its size unpacked
                bad = bytearray(data)
                bad[at + field : at + field + 8] = absurd.to_bytes(8, "little")
                path.write_bytes(bad)
                kept = list(read(path))
                assert kept == records[: len(kept)]


def test_a_damaged_attachment_costs_only_itself(
    tmp_path: Path, whole: tuple[bytes, list[Record]]
) -> None:
    data, records = whole
    bad = bytearray(data)
    bad[data.index(b'"cells"')] ^= 1
    (tmp_path / "bad.mcap").write_bytes(bad)
    found = read(tmp_path / "bad.mcap")
    assert list(found) == records
    assert set(found.attachments) == {"photo"}
    assert found.damage is not None
    assert found.damage.key == "recording.attachment"


def test_a_torn_tail_keeps_nearly_all(tmp_path: Path, whole: tuple[bytes, list[Record]]) -> None:
    data, records = whole
    end = data.rindex(b"\x28\xb5\x2f\xfd")  # the last zstd frame: tear it
    (tmp_path / "bad.mcap").write_bytes(data[: end + 100])
    found = read(tmp_path / "bad.mcap")
    assert list(found) == records[:2850], "all but the last chunk of 150"
    assert found.attachments == ATTACHMENTS
    assert found.damage is not None
    assert found.damage.key == "recording.torn"


def test_a_recording_cut_between_two_chunks_was_only_not_closed(
    tmp_path: Path, whole: tuple[bytes, list[Record]]
) -> None:
    """Every part of an MCAP file begins with an opcode and its length in eight bytes."""
    data, records = whole
    at, ends = 8, []
    while data[at] != 0x0F:  # DATA_END
        opcode, length = struct.unpack_from("<BQ", data, at)
        at += 9 + length
        ends += [at] if opcode == 0x06 else []  # CHUNK
    (tmp_path / "killed.mcap").write_bytes(data[: ends[-1]])
    found = read(tmp_path / "killed.mcap")
    assert list(found) == records
    assert found.damage is not None
    assert found.damage.key == "recording.unclosed"


def test_damaged_metadata_is_not_believed(
    tmp_path: Path, whole: tuple[bytes, list[Record]]
) -> None:
    """MCAP covers metadata by no CRC."""
    data, records = whole
    (tmp_path / "bad.mcap").write_bytes(data.replace(b"0.1.0", b"0.1.1"))
    found = read(tmp_path / "bad.mcap")
    assert (list(found), found.metadata) == (records, {})
    assert found.damage is not None
    assert found.damage.key == "recording.metadata"


@pytest.mark.parametrize("honest", [True, False])
def test_a_bomb_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, honest: bool
) -> None:
    """A small chunk that would unpack to 128 MiB, with a right CRC; it may lie about its size."""
    out = io.BytesIO()
    bomb = Writer(out, chunk_size=2**30, compression=CompressionType.ZSTD)
    bomb.start("hexboard")
    channel = bomb.register_channel("fact", "json", 0, {"offset": "0"})
    bomb.add_message(channel, 0, bytes(2**27), 0)
    bomb.finish()  # type: ignore[no-untyped-call]
    data = bytearray(out.getvalue())
    if not honest:
        size = header_end(data) + HEAD + 16
        data[size : size + 8] = (1000).to_bytes(8, "little")
    path = tmp_path / "bomb.mcap"
    path.write_bytes(data)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(zstandard, "decompress", lambda _: pytest.fail("unpacked"))
    found = read(path)
    assert list(found) == []
    assert found.damage is not None


def test_a_file_that_goes_away_does_not_raise(tmp_path: Path) -> None:
    write(tmp_path / "a.mcap", sample(10))
    found = read(tmp_path / "a.mcap")
    (tmp_path / "a.mcap").unlink()
    assert list(found) == []
    assert found.damage is not None
    assert found.damage.key == "recording.failing"


def damaged(data: bytes, how: str, where: float, what: int) -> bytes:
    at = int(where * len(data))
    garbage = what.to_bytes(4, "little")
    if how == "truncate":
        return data[:at]
    if how == "zero a page":
        start = at // 4096 * 4096
        size = min(4096, len(data) - start)
        return data[:start] + bytes(size) + data[start + size :]
    if how == "flip a bit":
        return data[:at] + bytes([data[at] ^ 1 << what % 8]) + data[at + 1 :]
    if how == "flip bytes":
        return (data[:at] + garbage + data[at + 4 :])[: len(data)]
    if how == "append":
        return data + garbage * (1 + what % 3000)
    return data[:at] + data[at + 1 + what % 9000 :]  # cut: a hole closed up


def survivors(path: Path, bad: bytes, data: bytes) -> Recording | None:
    """The recording, None if its header is damaged so that it may refuse."""
    end = header_end(data)
    if bad[:end] == data[:end]:
        return read(path)
    try:
        return read(path)
    except BadRecording:
        return None


def opcodes(data: bytes) -> list[int]:
    """Where each part begins."""
    found, at = [], MAGIC
    while at < len(data) - MAGIC:
        found.append(at)
        at += HEAD + int.from_bytes(data[at + 1 : at + HEAD], "little")
    return found


# ------------------------------------------------------------------------------- disks and kills

PROGRAM = """
    import sys, time
    from pathlib import Path
    from hexboard.record.recording import Recorder
    from hexboard.record.schemas import TOPICS

    def trouble(message):
        print(message and message.key, flush=True)

    out = Recorder(
        Path(sys.argv[1]),
        schemas={topic: b"{}" for topic in TOPICS},
        attachments={"board.json": b"{}"},
        metadata={},
        trouble=trouble,
    )
"""

FILLS = """
    import os, resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    for n in range(3000):
        out.put("fact", n, os.urandom(200).hex().encode())
        if n % 200 == 0:
            out.sync()
    out.close()
    print("still here", flush=True)
"""

RUNS = """
    n = waited = 0
    start = time.monotonic()
    while True:
        due = (time.monotonic() - start) * 1000
        waited = max(waited, int(due) - n)
        while n < due:
            out.put("fact", n, b'{"n": %d}' % n)
            n += 1
        print(n, waited, flush=True)
        time.sleep(0.005)
"""


def program(body: str, path: Path) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(PROGRAM) + textwrap.dedent(body), str(path)]


def test_a_full_disk_stops_the_recording_and_nothing_else(tmp_path: Path) -> None:
    """The kernel refuses to let the file grow past 200 kB (EFBIG), as a full disk would."""
    pytest.importorskip("resource")
    path = tmp_path / "a.mcap"
    done = subprocess.run(program(FILLS, path), capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == ""
    assert done.stdout.split("\n") == [
        "recording.waits",
        "recording.stopped",
        "still here",
        "",
    ]
    found = read(path)
    times = [record.t for record in found]
    assert times == list(range(len(times)))
    assert len(times) >= 600, "what fitted was kept"
    assert found.damage is not None


def test_kill_9_loses_at_most_half_a_second(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    with subprocess.Popen(program(RUNS, path), stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        put = waited = 0
        for line in child.stdout:
            put, waited = map(int, line.split())
            if put >= 1500:
                break
        child.kill()
    found = read(path)
    times = [record.t for record in found]
    assert times == list(range(len(times)))
    assert len(times) >= put - 500 - 2 * waited  # where it got no time, the recorder got none
    assert found.damage is not None
    assert found.attachments == {"board.json": b"{}"}


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """While something is in the list, what the disk was given since its last good sync is lost at
    each sync, as the kernel drops what a card did not take, and the sync fails."""
    fails: list[int] = []
    real, good = tape._fdatasync, {"size": 0}

    def sync(descriptor: int) -> None:
        if fails:
            os.truncate(descriptor, good["size"])
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)
        good["size"] = os.fstat(descriptor).st_size

    monkeypatch.setattr(tape, "_fdatasync", sync)
    monkeypatch.setattr(recording, "AGAIN_S", 0.05)
    return fails


@pytest.mark.parametrize("last", [3, 0], ids=["goes on", "from the first byte"])
def test_what_a_failing_disk_did_not_take_is_in_the_recording_later(
    tmp_path: Path, failing: list[int], last: int
) -> None:
    """A card that failed for two seconds ended the recording of the whole evening."""
    troubles: list[Message | None] = []
    if not last:
        failing.append(errno.EIO)
    out = recorder(tmp_path / "a.mcap", troubles)
    for n in range(last):
        out.put("fact", n, b"{}")
        assert out.sync()
    failing.append(errno.EIO)
    for n in range(last, 8):
        out.put("fact", n, b"{}")
        assert out.sync() is False
    assert keys(troubles) == ["recording.waits"]
    failing.clear()
    eventually(lambda: len(troubles) == 2)
    assert keys(troubles) == ["recording.waits", ""]
    out.put("fact", 8, b"{}")
    out.close()
    found = read(tmp_path / "a.mcap")
    assert [record.t for record in found] == list(range(9))
    assert (found.damage, found.attachments) == (None, ATTACHMENTS)
    assert len(troubles) == 2


def test_a_stick_that_was_pulled_and_is_back_is_recorded_on(
    tmp_path: Path, failing: list[int]
) -> None:
    """It has what was synced, in a file that is another one to the kernel."""
    folder, copy, troubles = tmp_path / "stick", tmp_path / "copy", list[Message | None]()
    folder.mkdir()
    out = recorder(folder / "a.mcap", troubles)
    out.put("fact", 0, b"{}")
    assert out.sync()
    shutil.copytree(folder, copy)
    folder.rename(tmp_path / "pulled")
    out.put("fact", 1, b"{}")
    assert out.sync() is False
    copy.rename(folder)
    eventually(lambda: len(troubles) == 2)
    out.close()
    assert [record.t for record in read(folder / "a.mcap")] == [0, 1]
    assert [record.t for record in read(tmp_path / "pulled" / "a.mcap")][:1] == [0]


def test_another_recording_in_its_place_is_not_written_to(
    tmp_path: Path, failing: list[int]
) -> None:
    other = recorder(tmp_path / "b.mcap")
    for n in range(9):
        other.put("fact", n, b"{}")
    other.close()
    theirs, troubles = (tmp_path / "b.mcap").read_bytes(), list[Message | None]()
    out = recorder(tmp_path / "a.mcap", troubles)
    assert out.sync()
    (tmp_path / "b.mcap").replace(tmp_path / "a.mcap")
    out.put("fact", 0, b"{}")
    assert out.sync() is False
    out.close()
    assert (tmp_path / "a.mcap").read_bytes() == theirs
    assert keys(troubles) == ["recording.waits", "recording.stopped"]


def test_a_recording_that_was_deleted_is_over_and_that_is_told(
    tmp_path: Path, failing: list[int]
) -> None:
    """It was said to wait for the disk, and that nothing would be missing."""
    troubles: list[Message | None] = []
    out = recorder(tmp_path / "a.mcap", troubles)
    assert out.sync()
    (tmp_path / "a.mcap").unlink()
    out.put("fact", 0, b"{}")
    eventually(lambda: not out.writes)
    out.close()
    assert keys(troubles) == ["recording.waits", "recording.stopped"]
    assert troubles[-1] is not None
    assert "it was deleted" in say(troubles[-1])


def test_a_recording_whose_name_is_taken_is_over_and_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.mcap").write_bytes(b"theirs")
    troubles: list[Message | None] = []
    out = recorder(tmp_path / "a.mcap", troubles)
    eventually(lambda: not out.writes)
    out.close()
    assert keys(troubles) == ["recording.stopped"]
    assert (tmp_path / "a.mcap").read_bytes() == b"theirs"


@pytest.mark.parametrize("early", [True, False], ids=["before it begins", "before its first sync"])
def test_a_recording_that_was_lost_before_it_was_safe_is_made_anew(
    tmp_path: Path, failing: list[int], early: bool
) -> None:
    """Its folder with it: it waited for ever."""
    folder, troubles = tmp_path / "recordings", list[Message | None]()
    if not early:
        folder.mkdir()
    failing.append(errno.EIO)
    out = recorder(folder / "a.mcap", troubles)
    assert out.sync() is False
    if not early:
        shutil.rmtree(folder)
    failing.clear()
    out.put("fact", 0, b"{}")
    eventually(lambda: keys(troubles) == ["recording.waits", ""])
    out.close()
    found = read(folder / "a.mcap")
    assert ([it.t for it in found], found.damage) == ([0], None)


def test_what_is_kept_for_a_failing_disk_is_bounded(
    tmp_path: Path, failing: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "KEPT_BYTES", 20_000)
    troubles: list[Message | None] = []
    out = recorder(tmp_path / "a.mcap", troubles)
    assert out.sync()
    failing.append(errno.EIO)
    for n in range(400):
        out.put("fact", n, os.urandom(100).hex().encode())
    eventually(lambda: not out.writes)
    assert keys(troubles)[-1] == "recording.stopped"
    out.close()


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A disk whose sync does not come back before the event."""
    back = threading.Event()
    monkeypatch.setattr(tape, "_fdatasync", lambda _: back.wait(2 * PATIENCE))
    yield back
    back.set()


def test_a_hanging_disk_costs_bounded_memory(
    tmp_path: Path, hanging: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "WAITING", 5000)
    troubles: list[Message | None] = []
    out = recorder(tmp_path / "a.mcap", troubles)
    out.put("fact", 0, b"{}")
    assert out.sync(timeout=0.2) is False
    begin = time.monotonic()
    for n in range(1, 20_000):
        out.put("fact", n, b"{}")
    assert time.monotonic() - begin < PATIENCE, "put never waits"
    assert keys(troubles) == ["recording.slow"]
    hanging.set()
    out.close()
    found = read(tmp_path / "a.mcap")
    assert [r.t for r in found] == list(range(5001)), "what waited is written when it comes back"
    assert found.damage is None
    assert len(troubles) == 1


def test_a_disk_that_comes_back_after_it_was_given_up_takes_nothing_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails, then it hangs until too much waits, then it is back: no more is recorded."""
    failed, back = threading.Event(), threading.Event()

    def sync(_: int) -> None:
        if not failed.is_set():
            failed.set()
            raise OSError(errno.EIO, "Input/output error")
        back.wait(2 * PATIENCE)

    monkeypatch.setattr(tape, "_fdatasync", sync)
    monkeypatch.setattr(recording, "AGAIN_S", 0.05)
    monkeypatch.setattr(recording, "WAITING", 50)
    troubles: list[Message | None] = []
    out = recorder(tmp_path / "a.mcap", troubles)
    assert out.sync() is False
    while out.writes:
        out.put("fact", 0, b"{}")
    back.set()
    out.close()
    assert keys(troubles) == ["recording.waits", "recording.slow"]
    assert read(tmp_path / "a.mcap").damage is None
