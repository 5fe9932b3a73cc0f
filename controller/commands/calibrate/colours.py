"""`hexboard calibrate colours`: what the pieces look like to the camera."""

import contextlib
import sys
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import CAMERA, JSON, board_named, looks, tell, tell_rollback
from hexboard.words import Message, message, say

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.colours import Colours
    from hexboard.vision.camera.controls import Controls
    from hexboard.vision.cells.colours import Layout
    from hexboard.vision.frame import Frame, Picture
    from hexboard.vision.geometry import Camera, Pose

EMPTY, LAID = "empty", "pieces"
"""The names of the two pictures, without their endings."""
FRESH_FRAMES = 8
"""Frames after a person has said that all lies there: those before may still show a hand."""
FITTED = 0.97
"""The share of its size at which a printer's "fit to page" prints a page of A4."""
QUIT = "q"
"""The key that takes no picture."""


@click.command()
@click.argument("board", required=False)
@click.option("--game", help="Whose pieces. Default: the game that the board is for.")
@CAMERA
@click.option(
    "--images",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help=f"A folder with the pictures {EMPTY}.jpg and {LAID}.jpg (or .png) instead of a camera.",
)
@click.option("--rollback", is_flag=True, help="Bring the colours before these back.")
@JSON
@click.pass_obj
def colours(
    home: Path,
    board: str | None,
    game: str | None,
    source: str | None,
    images: Path | None,
    rollback: bool,
    as_json: bool,
) -> None:
    """Learn what the pieces of a BOARD look like and how large discs are: first it is empty, then a
    few lie on it."""
    from hexboard import settings
    from hexboard.calibration import colours as results
    from hexboard.calibration import store

    chosen = settings.load(home / "settings.toml")
    which = board_named(home, board or chosen.board)
    path = results.place(home, which)
    if rollback:
        back = store.rollback(path, results.Colours, results.STEP)
        tell_rollback(path, back.version, as_json)
        return
    found = _learned(home, which, game or which.game, path, images, source or chosen.camera.source)
    store.save(path, found)
    _report(found, which, path, as_json)


def _learned(
    home: Path, board: "Board", game: str, path: Path, images: Path | None, source: str
) -> "Colours":
    """Two pictures, and what they tell. Raises `HexboardError` where they tell nothing good."""
    from hexboard.calibration import colours as results
    from hexboard.calibration import store
    from hexboard.vision.cells.colours import asked, learn

    layout = asked(board, looks(game))
    if images is not None:
        camera, pose, empty, laid = _from_folder(images, board, layout)
    else:
        camera, pose, empty, laid = _live(home, board, source, layout)
    found = learn(board, camera, pose, empty, laid, layout)
    version = store.following(path, results.load)
    date = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    return results.Colours(
        *(version, board.name, game, date),
        colours=found.colours,
        rims=found.rims,
        nearest=found.nearest,
        apart=round(found.apart, 2),
        sizes=found.sizes,
    )


Pictures = tuple["Camera", "Pose", "Picture", "Picture"]


def _from_folder(folder: Path, board: "Board", layout: "Layout") -> Pictures:
    """The two pictures in a folder; where the camera stood is told by the first one's markers."""
    from hexboard.vision.pose import snapshot
    from hexboard.words.errors import BadText

    pictures = []
    for name in (EMPTY, LAID):
        path = next((p for p in sorted(folder.iterdir()) if p.stem == name), None)
        if path is None:
            raise BadText("colours.missing", folder=str(folder), name=name, where=_where(layout))
        pictures.append(snapshot.load(path))
    empty, laid = pictures
    if empty.shape != laid.shape:
        raise BadText("colours.sizes", folder=str(folder))
    return (*snapshot.placed(empty, board), empty, laid)


def _live(home: Path, board: "Board", source: str, layout: "Layout") -> Pictures:
    """The same two from a camera, when the person has laid out what is asked for."""
    from hexboard.commands.calibrate.lens import grey
    from hexboard.commands.calibrate.pixels import camera_over
    from hexboard.vision.marks.markers import markers
    from hexboard.vision.pose.registration import Registration
    from hexboard.words.errors import HexboardError

    if not sys.stdin.isatty():
        raise HexboardError("colours.no_keys")
    camera, held, frames = camera_over(home, source)
    frames.close()
    pictures = [
        _after_a_key(said, source, camera, held)
        for said in (message("colours.clear"), message("colours.lay", where=_where(layout)))
    ]
    state = Registration(camera, markers(board)).look(grey(pictures[0]))
    if state.pose is None:
        why = state.why or message("registration.outside")
        raise HexboardError(why.key, **dict(why.values))
    return camera, state.pose, pictures[0].image, pictures[1].image


def _after_a_key(said: Message, source: str, camera: "Camera", held: "Controls") -> "Frame":
    """A picture of what lies there once a key was pressed. The camera is opened for it: one that
    was open while somebody laid out pieces has old pictures waiting."""
    from hexboard.commands.calibrate.pixels import sized

    pressed(said)
    with contextlib.closing(sized(source, camera, held)) as frames:
        *_, last = islice(frames, FRESH_FRAMES)
    return last


def pressed(said: Message) -> None:
    """Ask for a key and wait for it. Raises `KeyboardInterrupt` for Ctrl-C, Ctrl-D and `q`."""
    click.echo(say(said), err=True)
    try:
        key = click.getchar()
    except EOFError:
        key = QUIT
    if key.lower() == QUIT:
        raise KeyboardInterrupt


def _where(layout: "Layout") -> str:
    """What goes where: "black a1 c3, white b2 d4, a tower of 3 black f1"."""
    alone = [" ".join((name, *cells)) for name, cells in layout.alone.items()]
    towers = [
        say(message("colours.tower", high=layout.high, name=name, cell=cell))
        for name, cell in layout.towers.items()
    ]
    return ", ".join(alone + towers) or "nothing"


def _report(found: "Colours", board: "Board", path: Path, as_json: bool) -> None:
    import msgspec

    figures = {"file": str(path), **msgspec.to_builtins(found)}
    tell(
        as_json,
        figures,
        sentence(found, board),
        *_ruled(found, board),
        f"Kept as {path}, version {found.version}.",
        say(message("rehearsal.next", board=board.name)),
    )


def _ruled(found: "Colours", board: "Board") -> list[str]:
    """How a ruler on a disc tells a mat that was printed too small, which no picture does."""
    across = 2 * found.sizes.radius * board.pitch
    less, share = f"{across * FITTED:.1f}", f"{100 * FITTED:.0f}"
    told = message("colours.ruler", across=f"{across:.1f}", less=less, share=share)
    return [say(told)] * bool(found.rims)


def sentence(found: "Colours", board: "Board") -> str:
    """Learned colours and sizes in words."""
    one, other = found.nearest
    names, across = ", ".join(found.colours), 2 * found.sizes.radius * board.pitch
    discs = f" Discs {across:.1f} x {found.sizes.height * board.pitch:.1f} mm." * bool(found.rims)
    return f"Learned: {names}. Nearest: {one} and {other}, {found.apart:.1f} spreads apart.{discs}"
