"""The archive: a folder with a folder of Parquet files for each recording, one file a table.

    archive = Archive(Path("archive"))
    archive.known()                     # what it has, by recording
    with archive.half() as half, archive.writing(named, half) as rows:
        rows.put("facts", row)          # at the end all of it is there, or nothing is new
    archive.connect()                   # DuckDB, with a view of each table

A recording's folder appears whole or not at all, so that whoever is stopped leaves what is done.
"""

import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

import msgspec
from msgspec import Struct

from hexboard.files import finite
from hexboard.record.gather import ArchivedAs
from hexboard.record.recording import Recording
from hexboard.record.rows import TABLES, columns
from hexboard.record.sealed import OPENED, SEALED, beside
from hexboard.words.errors import BadRecording, BadText

if TYPE_CHECKING:
    import duckdb

DIGEST_BYTES = 8
OLD_S = 24 * 3600
"""What a killed process has left half-written is deleted after so long."""
HALF = ".half-"
"""How the folders begin in which something is written; no view looks into them."""
BEFORE = ".before"
"""How a folder ends that made room for a newer one."""
MAGIC = b"PAR1"
"""How a Parquet file begins and ends."""


class Blemish(Struct, frozen=True):
    """What is not as it should be with a recording of an archive."""

    recording: str
    differs: int | None
    """The first fact at which its replay differs from the evening."""
    damage: str | None
    """What is damaged of it."""


BLEMISHES = """
    SELECT recording, differs, damage FROM recordings
    WHERE differs IS NOT NULL OR damage IS NOT NULL ORDER BY file
"""


class Archive:
    """An archive at `path`, be it there or not. Raises `ModuleNotFoundError` without DuckDB."""

    def __init__(self, path: Path) -> None:
        import duckdb

        self.path, self._duckdb = path, duckdb

    def connect(
        self, tables: Iterable[str] = TABLES, **settings: str
    ) -> "duckdb.DuckDBPyConnection":
        """DuckDB in memory, with these settings and a view of each of these tables. Raises
        `BadText` where nothing is there, or where a file of it cannot be read."""
        if not any(self.path.glob("*/recordings.parquet")):
            raise BadText("archive.empty", folder=str(self.path))
        connection = self._duckdb.connect(config={**settings})
        try:
            for table in tables:
                files = f"{escape(str(self.path))}/*/{table}.parquet"
                found = connection.read_parquet(files, union_by_name=True)
                _with_all(found, columns(TABLES[table])).create_view(table)
        except self._duckdb.Error as error:
            raise BadText("archive.unreadable", folder=str(self.path), why=told(error)) from None
        return connection

    def known(self) -> dict[str, ArchivedAs]:
        """What it has; a recording whose files cannot be read is not among it."""
        with self._duckdb.connect() as connection:
            found = (self._named(connection, it) for it in self.path.glob("*/recordings.parquet"))
            return {named.recording: named for named in found if named is not None}

    def _named(self, connection: "duckdb.DuckDBPyConnection", path: Path) -> ArchivedAs | None:
        if not all(_is_whole(path.with_name(f"{table}.parquet")) for table in TABLES):
            return None
        names = ", ".join(ArchivedAs.__struct_fields__)
        with suppress(self._duckdb.Error, msgspec.ValidationError):
            rows = connection.read_parquet(escape(str(path))).project(names).fetchall()
            return msgspec.convert(
                dict(zip(ArchivedAs.__struct_fields__, rows[0], strict=True)), ArchivedAs
            )
        return None

    def blemishes(self, recordings: Collection[str]) -> "list[Blemish]":
        """What is to be said of these recordings, as the archive has it. Raises `BadText`."""
        if not recordings:
            return []
        with self.connect(["recordings"]) as connection:
            rows = connection.execute(BLEMISHES).fetchall()
            return [Blemish(*row) for row in rows if row[0] in recordings]

    @contextmanager
    def half(self) -> Iterator[Path]:
        """A folder in which something is written, gone at the end; those that whoever was killed
        has left there go as well, once they are old."""
        self.path.mkdir(parents=True, exist_ok=True)
        for left in self.path.glob(f"{HALF}*"):
            if left.stat().st_mtime < time.time() - OLD_S:
                self._put_back(left)
                shutil.rmtree(left, ignore_errors=True)
        with TemporaryDirectory(prefix=HALF, dir=self.path, ignore_cleanup_errors=True) as folder:
            try:
                yield Path(folder)
            finally:
                self._put_back(Path(folder))

    def _put_back(self, half: Path) -> None:
        """What made room for something that never came, as whoever wrote it was killed."""
        for before in half.glob(f"*{BEFORE}"):
            whole = self.path / before.stem
            if not whole.exists():
                before.rename(whole)

    @contextmanager
    def writing(self, named: ArchivedAs, half: Path) -> Iterator["Rows"]:
        """Where the rows of a recording go. Raises `OSError`, also for what DuckDB cannot write."""
        folder = half / named.recording
        folder.mkdir()
        try:
            with Rows(folder) as rows:
                yield rows
            self._parquet(folder)
            self._appear(folder, self.path / named.recording)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def packed(self, recording: str) -> dict[str, bytes]:
        """The Parquet file of each table, of a recording that it has. Raises `OSError`."""
        files = ((table, self.path / recording / f"{table}.parquet") for table in TABLES)
        return {table: file.read_bytes() for table, file in files}

    def take(self, named: ArchivedAs, tables: dict[str, bytes], half: Path) -> None:
        """What another archive had packed. Raises `BadText` where it is not this recording, and
        `OSError`."""
        folder = half / named.recording
        folder.mkdir()
        try:
            for table in TABLES:
                path = folder / f"{table}.parquet"
                path.write_bytes(tables.get(table, b""))
                _on_disk(path)
            with self._duckdb.connect() as connection:
                if self._named(connection, folder / "recordings.parquet") != named:
                    raise BadText("queue.not_ours")
            self._appear(folder, self.path / named.recording)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _parquet(self, folder: Path) -> None:
        """Make a Parquet file of each table's lines."""
        with self._duckdb.connect(config={"threads": 1}) as connection:
            for table, kind in TABLES.items():
                lines, path = folder / f"{table}.jsonl", folder / f"{table}.parquet"
                try:
                    connection.read_json(
                        escape(str(lines)), columns=columns(kind), format="newline_delimited"
                    ).write_parquet(str(path), compression="zstd")
                except self._duckdb.Error as error:
                    raise OSError(None, told(error), str(path)) from None
                lines.unlink()
                _on_disk(path)

    def _appear(self, half: Path, whole: Path) -> None:
        """A folder takes its place, and that of what was known of this recording before."""
        with suppress(FileNotFoundError):
            whole.rename(half.with_suffix(BEFORE))
        half.rename(whole)


class Rows:
    """The rows of one recording, as JSON lines, a file a table."""

    def __init__(self, folder: Path) -> None:
        self._stack, self._files = ExitStack(), dict[str, BinaryIO]()
        with ExitStack() as stack:
            for table in TABLES:
                self._files[table] = stack.enter_context((folder / f"{table}.jsonl").open("wb"))
            self._stack = stack.pop_all()

    def __enter__(self) -> "Rows":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def put(self, table: str, row: Struct) -> None:
        self._files[table].write(msgspec.json.encode(row) + b"\n")


def _with_all(
    found: "duckdb.DuckDBPyRelation", wanted: Mapping[str, str]
) -> "duckdb.DuckDBPyRelation":
    """A table with each of these columns; what an older hexboard did not write is NULL."""
    lacking = [
        f"NULL::{kind} AS {name}" for name, kind in wanted.items() if name not in found.columns
    ]
    return found.project(", ".join(["*", *lacking]))


def _is_whole(path: Path) -> bool:
    """Whether a Parquet file is there to its end."""
    with suppress(OSError), path.open("rb") as file:
        begins = file.read(len(MAGIC)) == MAGIC
        file.seek(-len(MAGIC), os.SEEK_END)
        return begins and file.read() == MAGIC
    return False


def _on_disk(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def told(error: Exception) -> str:
    """What DuckDB says, in one line, without the line of SQL that it points into."""
    return " ".join(str(error).partition("\n\nLINE ")[0].split()) or type(error).__name__


def identity(recording: Recording) -> str:
    """What a recording is known by, from its first second on: by its description, its first record
    and the wall's clock then; so a copy of it that is torn is the same. Raises `BadRecording`."""
    first = next(iter(recording), None)
    if first is None:
        raise BadRecording("recording.empty", file=str(recording.path))
    known = recording.metadata, recording.offset, first.t, first.payload
    return blake2b(msgspec.json.encode(known, order="sorted"), digest_size=DIGEST_BYTES).hexdigest()


def content(path: Path) -> str:
    """The digest of a recording and of the secret segment beside it."""
    hashed = blake2b(digest_size=DIGEST_BYTES)
    for file in (path, beside(path, SEALED), beside(path, OPENED)):
        with suppress(FileNotFoundError), finite(file, pipe=False).open("rb") as opened:
            while block := opened.read(1 << 20):
                hashed.update(block)
    return hashed.hexdigest()
