"""`hexboard calibrate colours`: what the pieces look like to the camera."""

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import (
    CAMERA,
    JSON,
    TypedPath,
    board_named,
    game_named,
    looks,
    tell,
    tell_rollback,
)
from hexboard.commands.calibrate.person import LAN, PAGE, page_of
from hexboard.words import Message, message, say
from hexboard.words.dates import iso_date
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.colours import Colours
    from hexboard.calibration.person import Screen
    from hexboard.daemon.at_bench import BenchPage
    from hexboard.vision.camera.controls import Controls
    from hexboard.vision.cells.colours import Layout
    from hexboard.vision.frame import Frame, Picture
    from hexboard.vision.geometry import Camera, Pose

EMPTY, LAID = "empty", "pieces"
"""The names of the two pictures, without their endings."""
FRESH_NS = 500_000_000
"""So long after the first picture since a person has said that all lies there: those before may
still show a hand."""
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
    type=TypedPath(exists=True, file_okay=False),
    help=f"A folder with the pictures {EMPTY}.jpg and {LAID}.jpg (or .png) instead of a camera.",
)
@click.option("--rollback", is_flag=True, help="Bring the colours before these back.")
@PAGE
@LAN
@JSON
@click.pass_obj
def colours(
    home: Path,
    board: str | None,
    game: str | None,
    source: str | None,
    images: Path | None,
    rollback: bool,
    page: bool,
    lan: bool,
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
        back = results.rollback(path)
        tell_rollback(path, back.version, as_json)
        return
    source, game = source or chosen.camera.source, game_named(home, chosen, board, game)
    with page_of(which, chosen, page, lan) as bench:
        found = _learned(home, which, game, path, images, source, bench)
        store.save(path, found)
        _report(found, which, path, as_json, bench)


def _learned(
    home: Path,
    board: "Board",
    game: str,
    path: Path,
    images: Path | None,
    source: str,
    bench: "BenchPage | None",
) -> "Colours":
    """Two pictures, and what they tell. Raises `HexboardError` where they tell nothing good."""
    from hexboard.calibration import colours as results
    from hexboard.calibration import store
    from hexboard.vision.cells.colours import asked, learn

    layout = asked(board, looks(game))
    if images is not None:
        camera, pose, empty, laid = _from_folder(images, board, layout)
    else:
        camera, pose, empty, laid = _live(home, board, source, layout, bench)
    found = learn(board, camera, pose, empty, laid, layout)
    version = store.following(path, results.load)
    date = iso_date()
    return results.Colours(
        *(version, board.name, game, date),
        colours=found.colours,
        rims=found.rims,
        nearest=found.nearest,
        apart=round(found.apart, 2),
        sizes=found.sizes,
        placed=results.placed(path, board),
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


def _live(
    home: Path, board: "Board", source: str, layout: "Layout", bench: "BenchPage | None"
) -> Pictures:
    """The same two from a camera, when the person has laid out what is asked for."""
    from hexboard.calibration.person import Screen
    from hexboard.commands.calibrate.lens import grey
    from hexboard.commands.calibrate.pixels import camera_over
    from hexboard.vision.marks.markers import markers
    from hexboard.vision.pose.registration import Registration
    from hexboard.words.errors import HexboardError

    if bench is None and not sys.stdin.isatty():
        raise HexboardError("colours.no_keys")
    camera, held, frames = camera_over(home, source)
    frames.close()
    pictures = [
        _after_a_key(said, source, camera, held, bench)
        for said in (
            Screen(message("colours.clear"), "ready"),
            Screen(message("colours.lay", where=_where(layout)), "ready", cells=_cells(layout)),
        )
    ]
    state = Registration(camera, markers(board)).look(grey(pictures[0]))
    if state.pose is None:
        why = state.why or message("registration.outside")
        raise HexboardError(why.key, **dict(why.values))
    return camera, state.pose, pictures[0].image, pictures[1].image


def _after_a_key(
    said: "Screen", source: str, camera: "Camera", held: "Controls", bench: "BenchPage | None"
) -> "Frame":
    """A picture of what lies there once a key was pressed. The camera is opened for it: one that
    was open while somebody laid out pieces has old pictures waiting."""
    from hexboard.commands.calibrate.pixels import sized

    if bench is None:
        pressed(said.ask)
    else:
        _ready(said, bench)
    with contextlib.closing(sized(source, camera, held)) as frames:
        return _fresh(frames)


def _fresh(frames: "Iterator[Frame]") -> "Frame":
    """The first picture that shows no hand any more, however many a second the camera takes."""
    first = next(frames)
    return next(frame for frame in frames if frame.t - first.t >= FRESH_NS)


def pressed(said: Message) -> None:
    """Ask for a key and wait for it. Raises `KeyboardInterrupt` for Ctrl-C, Ctrl-D and `q`."""
    click.echo(say(said), err=True)
    try:
        key = click.getchar()
    except EOFError:
        key = QUIT
    if key.lower() == QUIT:
        raise KeyboardInterrupt


def _ready(said: "Screen", bench: "BenchPage") -> None:
    """Ask on the page, and wait for its button. Raises `KeyboardInterrupt` for the one that stops.
    The page says then that there is nothing to do but to keep away."""
    from hexboard.calibration.person import Screen
    from hexboard.daemon.at_bench import AtBench

    person = AtBench(bench, dict)
    person.see(said)
    while not (word := person.said()):
        time.sleep(0.05)
    if word.lower() == QUIT:
        raise KeyboardInterrupt
    person.see(Screen(message("colours.looking"), "nothing"))


def _cells(layout: "Layout") -> tuple[tuple[str, tuple[str, str]], ...]:
    """What goes where, as a picture of the board has it."""
    alone = [(cell, (name, "")) for name, cells in layout.alone.items() for cell in cells]
    towers = ((cell, (f"{layout.high} {name}", "")) for name, cell in layout.towers.items())
    return (*alone, *towers)


def _where(layout: "Layout") -> str:
    """What goes where: "black a1 c3, white b2 d4, a tower of 3 black f1"."""
    alone = [" ".join((name, *cells)) for name, cells in layout.alone.items()]
    towers = [
        say(message("colours.tower", high=layout.high, name=name, cell=cell))
        for name, cell in layout.towers.items()
    ]
    return ", ".join(alone + towers) or "nothing"


def _report(
    found: "Colours", board: "Board", path: Path, as_json: bool, bench: "BenchPage | None"
) -> None:
    import msgspec

    figures = {"file": str(path), **msgspec.to_builtins(found)}
    lines = [
        sentence(found, board),
        *_ruled(found, board),
        message("kept.as", file=str(path), version=found.version),
        message("rehearsal.next", board=board.name),
    ]
    tell(as_json, figures, *map(say, lines))
    if bench is not None:
        bench.end(lines)


def _ruled(found: "Colours", board: "Board") -> list[Message]:
    """How a ruler on a disc tells a mat that was printed too small, which no picture does."""
    across = 2 * found.sizes.radius * board.pitch
    less, share = decimal(across * FITTED, 1), f"{100 * FITTED:.0f}"
    told = message("colours.ruler", across=decimal(across, 1), less=less, share=share)
    return [told] if found.rims else []


def sentence(found: "Colours", board: "Board") -> Message:
    """Learned colours and sizes in words."""
    one, other = found.nearest
    names, apart = ", ".join(found.colours), decimal(found.apart, 1)
    if not found.rims:
        return message("colours.learned", names=names, one=one, other=other, apart=apart)
    across, high = 2 * found.sizes.radius * board.pitch, found.sizes.height * board.pitch
    return message(
        "colours.learned_discs",
        names=names,
        one=one,
        other=other,
        apart=apart,
        across=decimal(across, 1),
        high=decimal(high, 1),
    )
