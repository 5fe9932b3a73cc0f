"""`hexboard bundle`: what somebody else needs to find out what went wrong, as one file."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile

import click
from msgspec import to_builtins
from msgspec.structs import replace

from hexboard.commands import FOLDER, JSON, TABLE, board_named, tell
from hexboard.commands.spoken import confirm, printable, wrong
from hexboard.files import STDOUT, finite
from hexboard.words import message, say
from hexboard.words.dates import stamp
from hexboard.words.errors import BadFile, BadText, HexboardError, without_addresses
from hexboard.words.numbers import in_bytes

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.commands.doctor.checked import Checked
    from hexboard.settings import Settings

OF_A_MATCH = (".mcap", ".secrets", ".crash.txt")
"""What a bundle takes of a match's files: never `.sealed`, which holds what is still hidden."""
NOTHING_OF = ".frames.", ".foxglove."
"""Pictures of a room, and large; and what `hexboard export` made of a recording for others."""


@click.command()
@click.argument("board", required=False)
@click.option("-o", "--output", type=TABLE, help="Where to. Default: hexboard-DATE.zip here.")
@click.option("--matches", type=click.IntRange(0, 100), default=1, show_default=True)
@click.option("--state", type=FOLDER, help="The folder that `hexboard run` was given.")
@click.option("--simulate", is_flag=True, help="Of a simulated board: its calibration, no Pico.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@JSON
@click.pass_obj
def bundle(
    home: Path,
    board: str | None,
    output: Path | None,
    matches: int,
    state: Path | None,
    simulate: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Put what others need to find out what went wrong into one file: what `hexboard doctor` says,
    settings, board, calibration, and the recordings of the last matches. What it cannot make sense
    of it leaves out, and says so.

    It takes these and nothing else: no key to the page, no hidden card of a game that goes on, no
    picture. The names that people gave themselves stand in recordings. It says what is inside
    before it writes.
    """
    from hexboard import files
    from hexboard.commands.doctor import looked_over
    from hexboard.daemon.starts import NAME as STARTS

    if as_json and not yes:
        raise wrong("--json asks nothing: give --yes with it.")
    if output == STDOUT:
        raise wrong("-o: what is inside is told on standard output: name a file.")
    path = output or Path(f"hexboard-{stamp()}.zip")
    if path.exists():
        raise BadText("bundle.there", file=str(path))
    chosen, which, left_out = _understood(home, board)
    name = which.name if which else Path(board or _board_set(home)).stem
    recordings = (state or files.evenings(name, simulate)) / "recordings"
    inside: dict[str, bytes | Path] = {
        **({"settings.json": _json(to_builtins(_harmless(chosen)))} if chosen else {}),
        **({"board.json": _json(to_builtins(which))} if which else {}),
        **dict(_calibrated(home, name, simulate)),
        "doctor.json": _json([*map(_harmless_check, looked_over(home, board, simulate, state))]),
        **{path.name: path for path in (recordings.parent / STARTS,) if path.is_file()},
        **{f"recordings/{path.name}": path for path in _last(recordings, matches)},
    }
    inside = {name: what for name, what in inside.items() if _readable(what)}
    for line in left_out:
        click.echo(printable(line), err=True)
    if not as_json:
        for name, what in inside.items():
            size = what.stat().st_size if isinstance(what, Path) else len(what)
            click.echo(f"{say(in_bytes(size)):>10}  {name}")
    if not yes:
        confirm(say(message("bundle.write", file=str(path))))
    try:
        _write(path, inside)
    except FileExistsError:  # made meanwhile: it is somebody's
        raise BadText("bundle.there", file=str(path)) from None
    except OSError as error:
        path.unlink(missing_ok=True)
        why = error.strerror or str(error)
        raise BadText("bundle.unwritten", file=str(path), why=why) from None
    wrote = say(message("bundle.written", file=str(path), size=in_bytes(path.stat().st_size)))
    tell(as_json, {"file": str(path), "inside": list(inside), "left_out": left_out}, wrote)


def _understood(home: Path, name: str | None) -> "tuple[Settings | None, Board | None, list[str]]":
    """Settings and board, each None where it makes no sense; why that is left out."""
    from hexboard import settings

    chosen, which, left_out = None, None, list[str]()
    try:
        chosen = settings.load(home / "settings.toml")
    except (HexboardError, OSError) as error:
        left_out.append(say(message("bundle.left_out", what="settings.json", why=str(error))))
    try:
        which = board_named(home, name or (chosen.board if chosen else _board_set(home)))
    except (HexboardError, OSError) as error:
        left_out.append(say(message("bundle.left_out", what="board.json", why=str(error))))
    return chosen, which, left_out


def _board_set(home: Path) -> str:
    """The board in the settings, whatever is wrong with them; else the one that is played without
    any."""
    from hexboard.files import Source
    from hexboard.settings import Settings

    with suppress(BadFile):
        found = Source(home / "settings.toml").data.get("board")
        if isinstance(found, str) and found:
            return found
    return Settings().board


def _harmless(chosen: "Settings") -> "Settings":
    """Settings without what opens anything."""
    scheme, address, _ = chosen.camera.source.partition("://")
    if address:  # it may hold a password
        chosen = replace(chosen, camera=replace(chosen.camera, source=f"{scheme}://"))
    broker, hooks = chosen.mqtt, chosen.webhooks
    hosts = tuple("/".join(url.split("/")[:3]).partition("?")[0] for url in hooks.urls)
    chosen = replace(chosen, mqtt=replace(broker, user="", password=""))
    return replace(chosen, webhooks=replace(hooks, urls=hosts, secret=""))


def _harmless_check(checked: "Checked") -> object:
    """A check, which may say what is wrong with an address."""
    said, todo = map(without_addresses, (checked.said, checked.todo))
    return to_builtins(replace(checked, said=said, todo=todo))


def _calibrated(home: Path, name: str, simulate: bool) -> Iterator[tuple[str, Path]]:
    """What people measured of a board, by the name that it gets."""
    from hexboard.calibration import store
    from hexboard.commands.calibrate.results import STEPS

    for step in STEPS:
        path = store.file(home / "calibration", step, name, simulate)
        if path.is_file():
            yield f"calibration/{path.name}", path


def _write(path: Path, inside: Mapping[str, bytes | Path]) -> None:
    # a Pi that never heard a time server has files of 1970, which a ZIP cannot say
    with ZipFile(path, "x", ZIP_DEFLATED, strict_timestamps=False) as packed:
        for name, what in inside.items():
            if isinstance(what, Path):
                packed.write(what, name)
            else:
                packed.writestr(name, what)


def _readable(what: bytes | Path) -> bool:
    """Whether it can be taken in. What cannot is named."""
    if isinstance(what, Path):
        try:
            os.close(os.open(finite(what, pipe=False), os.O_RDONLY))
        except OSError as error:
            why = error.strerror or str(error)
            click.echo(say(message("bundle.unread", file=str(what), why=why)), err=True)
            return False
    return True


def _json(what: object) -> bytes:
    return json.dumps(what, indent=1, ensure_ascii=False).encode()


def _last(folder: Path, matches: int) -> list[Path]:
    """The files of the newest matches in a folder of recordings, newest first by their names, for
    the times of copies are others, and by the journal, for a clock may have been behind; a match
    that went on after a crash has all of its own."""
    from hexboard.commands.calibrate.recorded import begun
    from hexboard.daemon.room import MATCH
    from hexboard.record.order import in_order

    def match_of(path: Path) -> str:
        named = MATCH.match(path.name)
        return named[0] if named else path.name.partition(".")[0]

    dated = {
        path: stamp(begun(path))
        for path in folder.glob("*")
        if path.name.endswith(OF_A_MATCH) and not any(it in path.name for it in NOTHING_OF)
    }
    found = in_order(dated, folder.parent)
    newest = list(dict.fromkeys(map(match_of, found)))[:matches]
    return [path for path in found if match_of(path) in newest]
