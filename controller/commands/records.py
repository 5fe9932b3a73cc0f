"""`hexboard read`; games in files that are no recordings: records, journals, what `play` kept."""

import contextlib
import json
import shutil
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from hexboard.commands import FILE, board_named
from hexboard.commands.spoken import printable, wrong
from hexboard.files import finite
from hexboard.words import message, say
from hexboard.words.errors import BadRecording, BadText, IllegalAction

if TYPE_CHECKING:
    from hexboard.game.record import GameRecord

KEPT, JOURNAL = b"{", b"SQLite format 3\0"
"""How a game that `play` kept begins, and a journal."""
HEAD_BYTES = 4096
"""Where a record has its first header, remarks before it included."""


def keeps(file: Path) -> bool:
    """Whether it is a record, a game that `play` kept or a journal, and no recording. Raises
    `BadText` for no file, `BadRecording` for a folder or what cannot be read."""
    if not file.exists():
        raise BadText("recording.missing", file=str(file))
    if file.is_dir():
        raise BadRecording("recording.directory", file=str(file))
    try:
        return _head(file).startswith((KEPT, JOURNAL)) or is_record(file)
    except OSError as error:
        why = error.strerror or str(error)
        raise BadRecording("recording.unreadable", file=str(file), why=why) from None


def is_kept(file: Path) -> bool:
    """Whether a file is a game that `play` kept."""
    return _head(file).startswith(KEPT)


def is_record(file: Path) -> bool:
    """Whether a file is a record."""
    from hexboard.game import record

    return record.is_record(_head(file).decode("utf-8-sig", "replace"))


def _head(file: Path) -> bytes:
    with finite(file, pipe=False).open("rb") as stream:
        return stream.read(HEAD_BYTES)


def opened(file: Path, home: Path) -> "GameRecord":
    """The game in such a file: its moves are made again by the rules of now. Raises `HexboardError`
    where they are not allowed, or the file has no game."""
    from hexboard.board import plain
    from hexboard.game import record, registry
    from hexboard.game.game import board_for
    from hexboard.game.save import decode

    head = _head(file)
    if head.startswith(JOURNAL):
        return _journalled(file, home)
    if not head.startswith(KEPT):
        text = file.read_bytes().decode("utf-8-sig", "replace")
        return record.read(text, str(file), partial(board_named, home))
    save = decode(file.read_bytes(), str(file))
    own = plain(board_for(registry.find(save.game), save.options))
    board = board_named(home, save.board) if save.board else own
    return record.again(save.game, board, save.options, save.entries, save.names)


def _journalled(file: Path, home: Path) -> "GameRecord":
    """The match that goes on in a journal. Raises `HexboardError`; the file is left as it is."""
    from msgspec import json as msgspec_json

    from hexboard.facts import Start
    from hexboard.game import record, registry
    from hexboard.game.game import agreed_by
    from hexboard.game.match import decode_entry
    from hexboard.record.journal import Journal

    with TemporaryDirectory(prefix="hexboard-") as folder:
        log = file.with_name(f"{file.name}-wal")  # what it has not taken in yet
        for part in (file, *[log] * log.is_file()):
            shutil.copy(part, folder)
        with contextlib.closing(Journal(Path(folder, file.name))) as journal:
            saved = journal.open_match()
    if saved is None:
        raise BadText("record.no_match", file=str(file))
    start = msgspec_json.decode(saved.start, type=Start)
    game = registry.find(start.game)
    agreed, begun = {it.name for it in game.options}, agreed_by(start.rules, game, start.options)
    options = {name: value for name, value in begun.items() if name in agreed}
    board, entries = board_named(home, start.board), map(decode_entry, saved.entries)
    return record.again(start.game, board, options, entries, start.names)


def played_here(file: Path, home: Path, as_json: bool) -> None:
    """The game in such a file, a line a ruling. Raises as `opened` does."""
    from hexboard.words.names import called, naming

    found = opened(file, home)
    for n, position in enumerate(found.match.line):
        names = called(position.seats, found.game.seated(position, found.names))
        for event in position.events:
            line = {"n": n, "text": say(event), "rule": event.rule}
            plain = f"{n:6}  {say(naming(event, names))}{event.rule and f'  [{event.rule}]'}"
            click.echo(json.dumps(line) if as_json else printable(plain))


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[GAME] FILE")
@click.option("-o", "--output", type=FILE, required=True, help="A new file, as `play` keeps one.")
@click.pass_obj
def read(home: Path, words: tuple[str, ...], output: Path) -> None:
    """Read the game in FILE, a record, or of a GAME as other programs write it (`export` does);
    `play --record` goes on with it."""
    from hexboard.game.match import Played
    from hexboard.game.save import Save, encode

    *games, name = words
    if len(games) > 1:
        raise wrong("Name one GAME and one FILE.")
    file = Path(name)
    if not file.is_file():
        raise BadText("recording.folder" if file.is_dir() else "recording.missing", file=name)
    found = _foreign(games[0], file) if games else opened(file, home)
    _playable(found, file)
    if _head(file).startswith(JOURNAL) and found.game.hides(found.match.position) is not None:
        raise BadText("record.hidden", file=name)
    match, options = found.match, dict(found.options)
    with output.open("xb") as out:  # what is there already stays
        out.write(encode(Save(found.game.name, options, match.entries, found.names)))
    count = sum(isinstance(entry, Played) for entry in match.entries)
    click.echo(say(message("game.read", count=count, file=str(output))))


def _foreign(name: str, file: Path) -> "GameRecord":
    """A game as other programs write it. Raises `BadText` where that is not read, or a move is not
    allowed."""
    from hexboard.board import plain
    from hexboard.game import record, registry
    from hexboard.game.game import board_for
    from hexboard.game.match import Ruled

    game = registry.find(name)
    if game.foreign is None or game.foreign.read is None:
        raise BadText("game.no_import", game=game.name)
    written = game.foreign.read(file.read_text("utf-8-sig", "replace"))
    board = plain(board_for(game, written.options))
    found = record.again(name, board, written.options, (), written.names)
    match = found.match
    if written.start != str(match.position):
        match.add(Ruled(written.start, "", ""))
    for number, move in enumerate(written.moves, 1):
        try:
            match.play(match.position.action(move))
        except (BadText, IllegalAction) as error:
            why = error.message
            raise BadText("game.stops", number=number, name=move[:40], why=why) from None
    wanted = record.result(match.position)
    if written.result not in ("", wanted):
        raise BadText("game.other_result", found=written.result, wanted=wanted)
    return found


def _playable(found: "GameRecord", file: Path) -> None:
    """Raise `BadText` for a game that cannot go on in a terminal."""
    from hexboard.game.game import board_for

    own = board_for(found.game, found.options)
    if found.board.name != own:
        raise BadText("record.board", file=str(file), board=found.board.name, own=own)
    if found.game.eyes(found.match.position) >= 0:
        raise BadText("record.view", file=str(file))
