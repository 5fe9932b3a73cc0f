"""`hexboard calibrate pixels`: which light of the strip lies where, seen by a camera."""

import contextlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never

import click
from msgspec import Struct

from hexboard.commands import CAMERA, JSON, PORT, board_named, tell, tell_rollback
from hexboard.commands.calibrate.person import opening
from hexboard.commands.spoken import wrong
from hexboard.words import Message, message, say
from hexboard.words.dates import iso_date
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.pixels import PixelMap
    from hexboard.vision.camera.controls import Controls
    from hexboard.vision.frame import Frame
    from hexboard.vision.geometry import Camera, Pose

FINDING = 40
"""Pictures in which the board's markers are looked for."""
LEAST_SPREAD = 0.02
"""Lights farther apart or nearer by this share are said: so much 10 mm of depth would make."""


class Setup(Struct, frozen=True):
    """A board whose lights can be lit and a camera over it."""

    camera: Any
    frames: Iterator[Any]
    blinking: Any
    source: str
    held: Any
    """The controls that the camera is held at."""


@click.command()
@click.argument("board", required=False)
@CAMERA
@click.option("--simulate", is_flag=True, help="A simulated board under a simulated camera.")
@PORT
@click.option("--rollback", is_flag=True, help="Bring the map before this one back.")
@JSON
@click.pass_obj
def pixels(
    home: Path,
    board: str | None,
    source: str | None,
    simulate: bool,
    port: str | None,
    rollback: bool,
    as_json: bool,
) -> None:
    """Find out which light of a BOARD's strip lies where: all blink in a code, and the camera
    reads it. Empty the board first."""
    from hexboard import settings
    from hexboard.calibration import pixels as results
    from hexboard.calibration import store
    from hexboard.devices.open import simulated

    chosen = settings.load(home / "settings.toml")
    which = board_named(home, board or chosen.board)
    path = results.place(home, which, simulate)
    if rollback:
        back = results.rollback(path)
        tell_rollback(path, back.version, as_json)
        return
    if not which.pixels:
        raise wrong("The board {board} has no lights.", board=which.name)
    which = simulated(which) if simulate else which
    with setup(home, which, source or chosen.camera.source, simulate, port) as ready:
        seen = mapped(which, ready, path)
    store.save(path, seen)
    _report(which, seen, path, as_json)


@contextlib.contextmanager
def setup(
    home: Path, board: "Board", source: str, simulate: bool, port: str | None, lights: bool = True
) -> Iterator[Setup]:
    """Open the camera and, if wanted, the lights of a board, or simulated ones; its lights are
    dark after. The camera judges the light and is held."""
    from hexboard import settings
    from hexboard.calibration.blinking import Blinking
    from hexboard.calibration.placement import SIMULATED
    from hexboard.devices.mailbox import Mailbox
    from hexboard.devices.open import Wires
    from hexboard.vision.camera.controls import FREE

    mailbox = Mailbox[Never]()
    with contextlib.ExitStack() as stack:
        if simulate:
            source, held = SIMULATED, FREE
            camera, frames, link = _simulated(stack, board)
        else:
            camera, held, frames = camera_over(home, source)
            stack.callback(frames.close)
            link = port or settings.load(home / "settings.toml").link.port
        blinking = None
        if lights and board.pixels:
            wires = Wires(board, link, mailbox.post)
            stack.callback(wires.close)
            blinking = Blinking(board, mailbox, wires.light, frames)
            blinking.wait()
            stack.callback(lambda: wires.light(bytes(8 * len(board.pixels))))
        yield Setup(camera, frames, blinking, source, held)


def camera_over(home: Path, source: str) -> "tuple[Camera, Controls, Any]":
    """The measured camera, where it is held, and its frames. Raises `HexboardError` where there is
    none."""
    from hexboard.calibration import lens_file
    from hexboard.vision.camera.capture import settled
    from hexboard.words.errors import HexboardError

    if not source:
        raise wrong("Name the camera: --camera SOURCE, or source under [camera].")
    path = lens_file.path(home)
    if not path.exists():
        raise HexboardError("camera.no_lens", file=str(path))
    camera = lens_file.load(path).camera
    held, frame = settled(source, camera.size)
    _check_size(frame, camera, source)
    return camera, held, sized(source, camera, held)


def sized(source: str, camera: "Camera", held: "Controls") -> "Generator[Frame]":
    """The frames of a camera that is held so. Raises `HexboardError` at one of another size than
    its lens was measured at."""
    from hexboard.commands.calibrate.lens import live

    with contextlib.closing(live(source, camera.size, held)) as frames:
        for frame in frames:
            _check_size(frame, camera, source)
            yield frame


def _check_size(frame: "Frame", camera: "Camera", source: str) -> None:
    from hexboard.vision.frame import spoken
    from hexboard.words.errors import HexboardError

    height, width = frame.image.shape[:2]
    if (width, height) != camera.size:
        wanted = "{} x {}".format(*camera.size)
        size = f"{width} x {height}"
        raise HexboardError("camera.size", camera=spoken(source), size=size, wanted=wanted)


def _simulated(stack: contextlib.ExitStack, board: "Board") -> "tuple[Camera, Any, str]":
    """A camera on a stand over a simulated board: the lens, its frames, the Pico's port."""
    from hexboard.commands.calibrate.simulated import bench
    from hexboard.simulator.camera.blinking import Stand
    from hexboard.simulator.rig import Rig

    stand = Stand(board)
    with opening():
        rig = Rig(board, bench(board), stand.light, lambda balls: None, lambda reason: None)
        stack.callback(rig.close)
    return stand.camera, stand.frames(), rig.twin.port


def mapped(board: "Board", ready: Setup, path: Path) -> "PixelMap":
    """Blink, look and say what lies where. Raises `HexboardError` where too little can be seen."""
    from hexboard.calibration import pixels as results
    from hexboard.calibration import store
    from hexboard.vision.pose import beacons
    from hexboard.vision.pose.pixel_map import on_board, placed, spread
    from hexboard.words.errors import HexboardError

    pose, by = registered(board, ready), "markers"
    count = len(board.pixels)
    lamps = ready.blinking.lamps()
    if pose is None:
        stands = beacons.placed(ready.camera, board, lamps)
        if stands is None:
            raise HexboardError("pixel_map.lost", seen=len(lamps), all=count)
        pose, by = stands.pose, "lights"
    spots = on_board(ready.camera, pose, lamps)
    found = placed(board, spots)
    if not any(light is not None for light in found):
        raise HexboardError("pixel_map.dark", all=count)
    off = {
        light: ((spots[light][0] - pixel.x) ** 2 + (spots[light][1] - pixel.y) ** 2) ** 0.5
        for pixel, light in zip(board.pixels, found, strict=True)
        if light is not None
    }
    contrast = {light: lamp.contrast for light, lamp in lamps.items()}
    version = store.following(path, results.load)
    date = iso_date()
    told = (version, date, by)
    return results.mapped(board, found, off, contrast, told, spread(board, found, spots))


def scaled(seen: "PixelMap") -> list[Message]:
    """That the markers, which the lights were measured by, are printed in another size, if so."""
    if abs(seen.spread - 1) < LEAST_SPREAD:
        return []
    have, printed = decimal(100 * seen.spread, 1), f"{100 / seen.spread:.0f}"
    return [message("pixel_map.scale", have=have, printed=printed)]


def registered(board: "Board", ready: Setup) -> "Pose | None":
    """Where the camera stands by the printed markers; None where it sees too few of them."""
    from hexboard.commands.calibrate.lens import grey
    from hexboard.vision.marks.markers import markers
    from hexboard.vision.pose.registration import Registration

    registration = Registration(ready.camera, markers(board))
    ready.blinking.show(())
    for _, frame in zip(range(FINDING), ready.frames, strict=False):
        state = registration.look(grey(frame))
        if state.pose is not None:
            return state.pose
    return None


def _report(board: "Board", seen: "PixelMap", path: Path, as_json: bool) -> None:
    from hexboard.calibration.pixels import spot

    count = len(seen.lights)
    unseen = [k for k, name in enumerate(seen.lights) if not name]
    moved = [
        k
        for k, (name, pixel) in enumerate(zip(seen.lights, board.pixels, strict=True))
        if name and name != spot(pixel)
    ]
    off = [mm for mm in seen.off if mm >= 0]
    told = {"file": str(path), "version": seen.version, "by": seen.by, "lights": seen.lights}
    doubts = [say(doubt) for doubt in scaled(seen)]
    seen_well = message(
        "pixel_map.seen",
        seen=count - len(unseen),
        all=count,
        by=seen.by,
        off=decimal(max(off), 1),
        weakest=decimal(min(seen.contrast), 2),
    )
    elsewhere = [
        message("pixel_map.moved", light=k, at=seen.lights[k], file=spot(board.pixels[k]))
        for k in moved
    ]
    tell(
        as_json,
        told | {"unseen": unseen, "moved": moved, "off_mm": max(off), "doubts": doubts},
        say(seen_well),
        *(f"  {say(message('pixel_map.unseen', light=k))}" for k in unseen),
        *(f"  {say(it)}" for it in elsewhere),
        *(f"  {doubt}" for doubt in doubts),
        say(message("pixel_map.kept", file=str(path), version=seen.version)),
    )
