"""`hexboard ask`: what the recordings of an archive say, by a question in SQL or a ready one."""

import csv
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any

import click
import msgspec
from msgspec import Struct

from hexboard.commands import FOLDER, JSON
from hexboard.commands.spoken import in_words, wrong
from hexboard.words import message, say
from hexboard.words.errors import BadText

if TYPE_CHECKING:
    import duckdb

OURS = Path(__file__).with_name("questions")
SHOWN = 1000
"""Rows that people are shown; all of them go into JSON and CSV."""
AT_ONCE = 10_000
"""Rows that are fetched at once."""
AGAIN_S = 0.1
"""A question that was stopped before it had begun is stopped again after so long."""


class Answer(Struct, frozen=True):
    """The columns of an answer, and its rows."""

    columns: tuple[str, ...]
    rows: Iterator[Sequence[Any]]


@click.command()
@click.argument("question", required=False)
@click.option("--archive", "folder", type=FOLDER, help="Default: ~/.local/state/hexboard/archive")
@click.option("--csv", "as_csv", is_flag=True, help="The answer as CSV.")
@JSON
@click.pass_obj
def ask(home: Path, question: str | None, folder: Path | None, as_csv: bool, as_json: bool) -> None:
    """What the recordings of an archive say: QUESTION is SQL, or the name of a ready question.

    Without one, the ready questions are listed: ours, and yours, the files questions/NAME.sql in
    your hexboard folder. The tables and their columns are told in docs/archive.md.
    """
    if as_csv and as_json:
        raise wrong("--csv and --json exclude each other.")
    ready = _ready(home / "questions")
    if question is None:
        _list(ready, as_json)
        return
    from hexboard.commands.archive.filling import archive_at

    sql = _sql(question, ready)
    with (
        TemporaryDirectory() as spill,
        archive_at(folder).connect(_tables(sql), temp_directory=spill) as connection,
    ):
        answer = _answered(connection, sql)
        if as_json:
            _tell_json(answer)
        elif as_csv:
            _tell_csv(answer)
        else:
            _tell(answer)


def _ready(own: Path) -> dict[str, Path]:
    """The ready questions by name; a person's own take the place of ours."""
    found = (path for folder in (OURS, own) for path in sorted(folder.glob("*.sql")))
    return {path.stem: path for path in found if path.is_file()}


def _list(ready: dict[str, Path], as_json: bool) -> None:
    told = {name: _about(path) for name, path in ready.items()}
    if as_json:
        click.echo(msgspec.json.encode({"questions": told}))
        return
    wide = max(map(len, told))
    for name, about in told.items():
        click.echo(f"{name:{wide}}  {about}")


def _about(path: Path) -> str:
    """What a ready question asks: its comment, in words."""
    lines = path.read_text("utf-8-sig", "replace").splitlines()
    first = lines[0] if lines else ""
    return in_words(first.removeprefix("--").strip()) if first.startswith("--") else ""


def _sql(question: str, ready: dict[str, Path]) -> str:
    """The SQL of a question. Raises `BadText` for a word that is no ready one's name, and for a
    file that is no UTF-8."""
    if question in ready:
        try:
            return ready[question].read_text("utf-8-sig")
        except UnicodeDecodeError:
            raise BadText("ask.not_text", file=str(ready[question])) from None
    if len(question.split()) == 1:
        from hexboard.files import nearest

        near = nearest(question, list(ready))
        raise BadText("ask.no_question", name=question, near=near, known=", ".join(ready))
    return question


def _tables(sql: str) -> list[str]:
    """The tables that are named in a question; all where none is ("SHOW TABLES"). A view of a
    thousand recordings takes a quarter of a second to make."""
    from hexboard.record.rows import TABLES

    return [name for name in TABLES if name in sql.lower()] or list(TABLES)


def _answered(connection: "duckdb.DuckDBPyConnection", sql: str) -> Answer:
    """The answer. Raises `BadText` for SQL that DuckDB does not understand, and for none."""
    import duckdb

    from hexboard.commands.archive.folder import told
    from hexboard.record.rows import TABLES

    try:
        result = _executed(connection, sql)
    except duckdb.Error as error:
        raise BadText("ask.no_sql", why=told(error), tables=", ".join(TABLES)) from None
    if result is None:
        raise BadText("ask.nothing", tables=", ".join(TABLES))
    columns = tuple(str(it[0]) for it in result.description or ())
    return Answer(columns, _rows(result) if columns else iter(()))


def _executed(
    connection: "duckdb.DuckDBPyConnection", sql: str
) -> "duckdb.DuckDBPyConnection | None":
    """The same as the connection's own `execute`, which does not hear Ctrl-C; None for SQL that
    is empty, or nothing but comments."""
    asked: Future[duckdb.DuckDBPyConnection | None] = Future()

    def work() -> None:
        if asked.set_running_or_notify_cancel():
            try:
                asked.set_result(connection.execute(sql))
            except BaseException as error:
                asked.set_exception(error)

    try:
        Thread(target=work).start()
        return asked.result()
    except KeyboardInterrupt:
        while not (asked.cancel() or asked.done()):  # what is busy cannot be closed
            with suppress(KeyboardInterrupt):
                connection.interrupt()
                wait([asked], AGAIN_S)
        raise


def _rows(result: "duckdb.DuckDBPyConnection") -> Iterator[Sequence[Any]]:
    import duckdb

    from hexboard.commands.archive.folder import told

    try:
        while rows := result.fetchmany(AT_ONCE):
            yield from rows
    except duckdb.Error as error:
        raise BadText("ask.failed", why=told(error)) from None


def _tell_json(answer: Answer) -> None:
    encoder = msgspec.json.Encoder(enc_hook=str)
    rows = [list(row) for row in answer.rows]
    click.echo(encoder.encode({"columns": answer.columns, "rows": rows}))


def _tell_csv(answer: Answer) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows(answer.rows)


def _tell(answer: Answer) -> None:
    """As people read it."""
    from itertools import islice

    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD)
    shown = [[_plain(value) for value in row] for row in islice(answer.rows, SHOWN)]
    for name in answer.columns:
        table.add_column(Text(name), overflow="fold")
    for row in shown:
        table.add_row(*map(Text, row))
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        console.width = 10_000
    console.print(table)
    more = next(answer.rows, None) is not None
    key = "ask.more" if more else "ask.rows"
    click.echo(say(message(key, count=len(shown))), err=True)


def _plain(value: object) -> str:
    """A value in a table: a list with commas, "" for none."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
