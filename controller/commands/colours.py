"""`hexboard calibrate colours`: what the pieces look like to the camera."""

import contextlib
import json
import sys
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands import board_named
from controller.words import Message, message, say

if TYPE_CHECKING:
    from calibration.colours import Colours
    from controller.board import Board
    from controller.vision.camera import Camera, Pose
    from controller.vision.capture import Frame
    from controller.vision.controls import Controls
    from controller.vision.light import Picture

EMPTY, LAID = "empty", "pieces"
"""The names of the two pictures, without their endings."""
FRESH = 8
"""Frames after a person has said that all lies there: those before may still show a hand."""


@click.command()
@click.argument("board", required=False)
@click.option("--game", help="Whose pieces. Default: the game that the board is for.")
@click.option("--camera", "source", help="/dev/video0, rpicam, or http://… of an MJPEG stream.")
@click.option(
    "--images",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help=f"A folder with the pictures {EMPTY}.jpg and {LAID}.jpg (or .png) instead of a camera.",
)
@click.option("--rollback", is_flag=True, help="Bring the colours before these back.")
@click.option("--json", "as_json", is_flag=True, help="The outcome as JSON.")
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
    """Learn what the pieces of a BOARD look like: first it is empty, then a few lie on it."""
    from calibration import colours as results
    from calibration import kept
    from controller import settings

    chosen = settings.load(home / "settings.toml")
    which = board_named(home, board or chosen.board)
    path = results.place(home, which)
    if rollback:
        back = kept.rollback(path, results.Colours, results.STEP)
        click.echo(say(message("calibration.rolled_back", file=str(path), version=back.version)))
        return
    found = _learned(home, which, game or which.game, path, images, source or chosen.camera.source)
    kept.save(path, found)
    _report(found, path, as_json)


def _learned(
    home: Path, board: "Board", game: str, path: Path, images: Path | None, source: str
) -> "Colours":
    """Two pictures, and what they tell. Raises `HexboardError` where they tell nothing good."""
    from calibration import colours as results
    from calibration import kept
    from controller.errors import HexboardError

    try:
        from controller.vision.appearance import looks
        from controller.vision.colours import asked, learn, wanted
    except ImportError:
        raise HexboardError("vision.not_installed") from None
    spots = asked(board, wanted(looks(game)))
    if images is not None:
        camera, pose, empty, laid = _from_folder(images, board, spots)
    else:
        camera, pose, empty, laid = _live(home, board, source, spots)
    found = learn(board, camera, pose, empty, laid, spots)
    version = kept.following(path, results.load)
    date = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    return results.Colours(
        *(version, board.name, game, date),
        *(found.colours, found.rims, found.nearest, round(found.apart, 2)),
    )


Pictures = tuple["Camera", "Pose", "Picture", "Picture"]
Spots = dict[str, tuple[str, ...]]


def _from_folder(folder: Path, board: "Board", spots: Spots) -> Pictures:
    """The two pictures in a folder; where the camera stood is told by the first one's markers."""
    from controller.errors import BadText
    from controller.vision import snapshot

    pictures = []
    for name in (EMPTY, LAID):
        path = next((p for p in sorted(folder.iterdir()) if p.stem == name), None)
        if path is None:
            raise BadText("colours.missing", folder=str(folder), name=name, where=_where(spots))
        pictures.append(snapshot.load(path))
    empty, laid = pictures
    if empty.shape != laid.shape:
        raise BadText("colours.sizes", folder=str(folder))
    return (*snapshot.placed(empty, board), empty, laid)


def _live(home: Path, board: "Board", source: str, spots: Spots) -> Pictures:
    """The same two from a camera, when the person has laid out what is asked for."""
    from controller.commands.camera import grey
    from controller.commands.pixels import camera_over
    from controller.errors import HexboardError
    from controller.vision.markers import markers
    from controller.vision.registration import Registration

    if not sys.stdin.isatty():
        raise HexboardError("colours.no_keys")
    camera, held, frames = camera_over(home, source)
    frames.close()
    pictures = [
        _after_a_key(said, source, camera, held)
        for said in (message("colours.clear"), message("colours.lay", where=_where(spots)))
    ]
    state = Registration(camera, markers(board)).look(grey(pictures[0]))
    if state.pose is None:
        why = state.why or message("registration.outside")
        raise HexboardError(why.key, **dict(why.values))
    return camera, state.pose, pictures[0].image, pictures[1].image


def _after_a_key(said: Message, source: str, camera: "Camera", held: "Controls") -> "Frame":
    """A picture of what lies there once a key was pressed. The camera is opened for it: one that
    was open while somebody laid out pieces has old pictures waiting."""
    from controller.commands.camera import live

    click.pause(say(said))
    with contextlib.closing(live(source, camera.size, held)) as frames:
        *_, last = islice(frames, FRESH)
    return last


def _where(spots: Spots) -> str:
    """What goes where: "black a1 c3, white b2 d4"."""
    return ", ".join(" ".join((name, *cells)) for name, cells in spots.items()) or "nothing"


def _report(found: "Colours", path: Path, as_json: bool) -> None:
    if as_json:
        import msgspec

        click.echo(json.dumps({"file": str(path), **msgspec.to_builtins(found)}))
        return
    click.echo(f"{sentence(found)}\nKept as {path}, version {found.version}.")


def sentence(found: "Colours") -> str:
    """Learned colours in words."""
    one, other = found.nearest
    names = ", ".join(found.colours)
    return f"Learned: {names}. Nearest: {one} and {other}, {found.apart:.1f} spreads apart."
