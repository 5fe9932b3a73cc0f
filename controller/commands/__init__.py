"""The commands of `hexboard`, one module a family; `hexboard.commands.cli` finds them by name.

A module imports only what its help needs; what a command needs, it imports when it runs.
"""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexboard.commands.spoken import in_words, printable, wrong
from hexboard.files import STDOUT
from hexboard.words import message, say
from hexboard.words.errors import BadText

if TYPE_CHECKING:
    from hexboard.appearance import Look
    from hexboard.board import Board
    from hexboard.settings import Settings


class TypedPath(click.Path):
    """A path as it was typed: no shell makes a folder of the ~ in `--state=~/games`."""

    def __init__(self, **checked: bool) -> None:
        super().__init__(path_type=Path, **checked)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        typed = Path(os.path.expanduser(os.fsdecode(value)))
        return Path(os.fsdecode(super().convert(typed, param, ctx)))


FILE = TypedPath(dir_okay=False, readable=False)
READ = TypedPath(readable=False)
"""What is read. Why it cannot be, we say: click would take that for something typed wrong."""
FOLDER = TypedPath(file_okay=False)


class OutputPath(TypedPath):
    """A file to be written, which has one of these `endings`: what it is told by that. To stdout,
    which is called -, goes the first."""

    def __init__(self, *endings: str) -> None:
        super().__init__(dir_okay=False, readable=False)
        self._endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = super().convert(value, param, ctx)
        if value == "-" or path == STDOUT:
            return STDOUT
        if self._endings and path.suffix not in self._endings:
            *most, last = self._endings
            said = "--output: {path} must end in {one} or {last}"
            said = said if most else "--output: {path} must end in {last}"
            raise wrong(said, path=path, one=", ".join(most), last=last)
        return path


PICTURE, PAPER, TABLE = OutputPath(".svg"), OutputPath(".pdf", ".svg"), OutputPath()


def wrote(path: Path, said: str) -> None:
    """Say what was written, and not in the midst of it."""
    click.echo(said, err=path == STDOUT)


def spared(output: Path | None, *read: Path, option: str = "--output") -> None:
    """Refuse to write over a file that is `read` what an option asks for."""
    if output is not None and os.path.realpath(output) in map(os.path.realpath, read):
        raise wrong("{option}: {path} is what is read", option=option, path=output)


class Between(click.FloatRange):
    """A number between two; click's own lets `nan` pass, which is in every range."""

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            why = in_words("{value!r} is not a valid {number_type}.")
            self.fail(why.format(value=value, number_type=self.name), param, ctx)
        return number


def only(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The one camera that was named, if any. A second view would have to be put up, read and judged
    beside the first; no reader does."""
    if len(given) > 1:
        raise wrong("One camera looks at a board: name one --camera.")
    return given[0] if given else None


CAMERA = click.option(
    "--camera",
    "source",
    multiple=True,
    callback=only,
    help="/dev/video0, rpicam, or http://… of an MJPEG stream.",
)
PORT = click.option("--port", help="Serial port of the Pico. Default: the one in the settings.")
JSON = click.option("--json", "as_json", is_flag=True, help="The outcome as JSON.")


def board_named(home: Path, name: str) -> "Board":
    """The board `name` (a file of `home`, one of ours, or a path). Raises `BadFile`, `BadText`."""
    from hexboard.board import find, load, plain, shape
    from hexboard.files import named

    own = home / "boards"
    if shape(name) and not named(own / f"{name}.toml"):
        return plain(name)
    return load(find(name, [own]))


def settled(home: Path, chosen: "Settings") -> str:
    """The game that is set: itself, or as what the board that is set is for; "" for none."""
    return chosen.game or str(board_named(home, chosen.board).game)


def game_named(home: Path, chosen: "Settings", board: str | None, game: str | None) -> str:
    """Which game is meant: as asked, else what the board is for, else as set. Raises `BadText`."""
    found = game or (board_named(home, board).game if board else settled(home, chosen))
    if not found:
        from hexboard.game import registry

        known = ", ".join(registry.usable())
        raise BadText("game.which", board=board or chosen.board, known=known)
    return str(found)


def looks(game: str) -> "tuple[Look, ...]":
    """What the codes of a game as it begins look like to a camera. Raises `BadText`."""
    from hexboard.board import plain
    from hexboard.game import registry

    module = registry.find(game)
    with registry.used(game):
        position = module.begin(plain(module.board({})), {})
        return registry.appearance(game).looks(module.visibly(position))


def tell(as_json: bool, figures: Mapping[str, Any], *lines: str, err: bool = False) -> None:
    """An outcome: its figures as JSON, or lines for people; on stderr where stdout has a file."""
    click.echo(json.dumps(figures) if as_json else printable("\n".join(lines)), err=err)


def tell_rollback(path: Path, version: int, as_json: bool) -> None:
    """Say which version of a calibration is back."""
    back = say(message("calibration.rolled_back", file=str(path), version=version))
    tell(as_json, {"file": str(path), "version": version}, back)
