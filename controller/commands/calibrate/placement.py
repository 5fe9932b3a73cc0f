"""`hexboard calibrate board`: how a camera stands over a board, and the exposure it is held at."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexboard.commands import CAMERA, JSON, PORT, board_named, looks, tell, tell_rollback
from hexboard.commands.calibrate.lens import grey
from hexboard.commands.calibrate.pixels import FINDING, Setup, setup
from hexboard.commands.spoken import wrong
from hexboard.words import Message, message, say
from hexboard.words.dates import iso_date
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexboard.appearance import Colour
    from hexboard.board import Board
    from hexboard.calibration.placement import Placement
    from hexboard.vision.frame import Frame, Picture
    from hexboard.vision.geometry import Camera, Pose
    from hexboard.vision.pose.registration import BoardSighting

LEAST_BARE = 0.5
"""The share of cells that must read as empty: with fewer it is not the board, or not its mat."""
LEAST_TILT_DEG, MOST_TILT_DEG = 24.0, 45.0
"""How far off the vertical the height of stacks is told, degrees."""
FLICKERING = 10
"""Pictures in which the light should keep still."""
LOOKS = 15
"""Pictures in which the board must keep still."""


@click.command(name="board")
@click.argument("name", metavar="[BOARD]", required=False)
@CAMERA
@click.option("--lights", is_flag=True, help="A board without markers: its lights say where it is.")
@click.option("--simulate", is_flag=True, help="A simulated board under a simulated camera.")
@PORT
@click.option("--rollback", is_flag=True, help="Bring the placement before this one back.")
@JSON
@click.pass_obj
def placing(
    home: Path,
    name: str | None,
    source: str | None,
    lights: bool,
    simulate: bool,
    port: str | None,
    rollback: bool,
    as_json: bool,
) -> None:
    """See how the camera stands over an empty BOARD, and hold its exposure from now on."""
    from hexboard import settings
    from hexboard.calibration import placement as results
    from hexboard.devices.open import simulated

    chosen = settings.load(home / "settings.toml")
    which = board_named(home, name or chosen.board)
    path = results.place(home, which, simulate)
    if rollback:
        back = results.rollback(path)
        tell_rollback(path, back.version, as_json)
        return
    if lights and not which.pixels:
        raise wrong("The board {board} has no lights.", board=which.name)
    which = simulated(which) if simulate else which
    with setup(home, which, source or chosen.camera.source, simulate, port, lights) as ready:
        found, view = placed(which, ready, path, lights)
    better = _undoubted(path, which) if doubts(found, which) else ""
    results.save(path, found, view)
    _report(found, which, path, as_json, better)


def placed(board: "Board", ready: Setup, path: Path, lights: bool) -> "tuple[Placement, bytes]":
    """Look for the board. Raises `HexboardError` where it cannot be found."""
    import cv2
    import numpy as np

    from hexboard.appearance import KIT
    from hexboard.calibration import lens_file, store
    from hexboard.calibration import placement as results
    from hexboard.vision.cells.occupancy import ground, occupied
    from hexboard.vision.frame import spoken
    from hexboard.vision.light import Band
    from hexboard.vision.pose.focus import blur
    from hexboard.words.errors import HexboardError

    pose, by, seen, error, shake = _by_lights(board, ready) if lights else _by_markers(board, ready)
    sampler = Band(board, ready.camera, pose, KIT).sampler
    views = [frame.image for frame in islice(ready.frames, FLICKERING)]
    view, papers = views[-1], [sampler.look(view).mean(1) for view in views]
    levels = [float(paper.mean()) for paper in papers]
    lens = lens_file.path(path.parent.parent)
    full = () if lights else occupied(board, ready.camera, pose, view)
    colour = None if lights else ground(board, ready.camera, pose, view)
    bare = colour and _bare(path, board, ready.camera, pose, view, colour)
    if bare is not None and bare < LEAST_BARE * len(board.cells):
        raise HexboardError("placement.unread", bare=bare, all=len(board.cells), board=board.name)
    paper = papers[-1]
    found = results.Placement(
        version=store.following(path, results.load),
        board=board.name,
        date=iso_date(),
        source=spoken(ready.source),
        size=ready.camera.size,
        by=by,
        seen=seen,
        error=round(error, 3),
        shake=round(shake, 3),
        per_mm=round(results.scale(board, ready.camera, pose), 2),
        tilt=round(results.tilt(pose, board), 1),
        paper=(_share(np.percentile(paper, 5)), _share(np.percentile(paper, 95))),
        rvec=_three(pose.rvec),
        tvec=_three(pose.tvec),
        held=ready.held,
        lens="" if ready.source == results.SIMULATED else lens_file.read(lens).date,
        occupied=tuple(board.cells[k].id for k in full),
        address=results.address(ready.source),
        ground=colour,
        bare=bare,
        blur=0.0 if lights else round(blur(board, ready.camera, pose, view), 2),
        flicker=_share(1 - min(levels) / max(levels)),
    )
    return found, cv2.imencode(".jpg", view)[1].tobytes()


def _bare(
    path: Path, board: "Board", camera: "Camera", pose: "Pose", view: "Picture", ground: "Colour"
) -> int | None:
    """How many cells of an empty board read as empty; None where no camera reads its game."""
    from msgspec.structs import replace

    from hexboard.appearance import Look
    from hexboard.calibration import colours
    from hexboard.vision.cells.reading import Reader, best
    from hexboard.words.errors import BadText

    try:
        kinds = looks(board.game)
    except BadText:
        return None
    kit = replace(colours.kit(colours.beside(path.parent, board), board), ground=ground)
    cells = Reader(board, kinds, camera, pose, kit).read(view).cells
    return sum(kinds[code] == Look() for cell in cells if (code := best(cell)) is not None)


def _three(vector: Any) -> tuple[float, float, float]:
    x, y, z = vector.ravel().tolist()
    return x, y, z


def _share(value: Any) -> float:
    return round(float(value), 3)


Found = tuple["Pose", str, int, float, float]
"""The pose, what told it, how many of them, their error and how far they moved, px."""


def _by_markers(board: "Board", ready: Setup) -> Found:
    from hexboard.calibration.placement import MOST_SHAKE_PX
    from hexboard.vision.marks.markers import markers
    from hexboard.vision.pose.registration import Registration
    from hexboard.words.errors import HexboardError

    registration = Registration(ready.camera, markers(board))
    states: list[BoardSighting] = []
    for frame in islice(fresh(ready.frames), FINDING):
        state = registration.look(grey(frame))
        kept = states if state.drift <= MOST_SHAKE_PX else []
        states = [*kept, state] if state.pose is not None else []
        if len(states) == LOOKS:
            break
    else:
        why = state.why or message("placement.unsteady")
        raise HexboardError(why.key, **dict(why.values))
    last = states[-1]
    assert last.pose is not None
    return last.pose, "markers", last.seen, registration.error, max(s.drift for s in states[1:])


def fresh(frames: "Iterable[Frame]") -> "Iterator[Frame]":
    """The frames that are not the one before once more: those say nothing of how still a camera
    stands. One that gives nothing else is told of where it is read."""
    last = b""
    for frame in frames:
        before, last = last, frame.image.tobytes()
        if last != before:
            yield frame


def _by_lights(board: "Board", ready: Setup) -> Found:
    from hexboard.vision.pose import beacons
    from hexboard.words.errors import HexboardError

    lamps = ready.blinking.lamps()
    stands = beacons.placed(ready.camera, board, lamps)
    ready.blinking.show(())
    if stands is None:
        raise HexboardError("pixel_map.lost", seen=len(lamps), all=len(board.pixels))
    return stands.pose, "lights", len(stands.agree), stands.error, 0.0


def doubts(found: "Placement", board: "Board") -> list[Message]:
    """What is not as it should be, and how to mend it."""
    from hexboard.calibration.placement import (
        LEAST_PAPER,
        LEAST_PER_MM,
        MOST_BLUR_PX,
        MOST_ERROR_PX,
        MOST_FLICKER,
        MOST_PAPER,
        MOST_SHAKE_PX,
    )

    out = []
    if found.shake > MOST_SHAKE_PX:
        out.append(message("placement.unsteady"))
    if found.blur > MOST_BLUR_PX:
        have, most = decimal(found.blur, 1), decimal(MOST_BLUR_PX, 1)
        out.append(message("placement.blur", have=have, most=most))
    if found.flicker > MOST_FLICKER:
        out.append(message("placement.flicker", have=f"{found.flicker:.0%}"))
    if found.per_mm < LEAST_PER_MM:
        have = decimal(found.per_mm, 1)
        out.append(message("placement.small", have=have, least=decimal(LEAST_PER_MM, 1)))
    if _stacked(board) and not LEAST_TILT_DEG <= found.tilt <= MOST_TILT_DEG:
        key = "placement.steep" if found.tilt < LEAST_TILT_DEG else "placement.flat"
        out.append(message(key, have=f"{found.tilt:.0f}"))
    if found.error > MOST_ERROR_PX:
        out.append(
            message("placement.error", have=decimal(found.error, 2), most=decimal(MOST_ERROR_PX, 1))
        )
    if found.occupied:
        out.append(message("placement.occupied", cells=", ".join(found.occupied)))
    if found.ground and (names := _hidden(board, found.ground)):
        out.append(message("placement.hidden", names=", ".join(names), board=board.name))
    if found.paper[1] > MOST_PAPER:
        out.append(message("placement.bright"))
    if found.paper[0] < LEAST_PAPER:
        out.append(message("placement.dark"))
    return out


def _undoubted(path: Path, board: "Board") -> str:
    """When a placement was found that is there and of which nothing is wrong; "" for none."""
    from hexboard.calibration import placement
    from hexboard.words.errors import BadFile

    try:
        before = placement.load(path)
        return "" if placement.stale(before, path) or doubts(before, board) else before.date
    except BadFile:
        return ""


def _stacked(board: "Board") -> bool:
    """Whether a board's game has stacks, which are told from the side."""
    from hexboard.words.errors import BadText

    try:
        return any(len(stack) > 1 for look in looks(board.game) for stack in look.stacks)
    except BadText:
        return False


def _hidden(board: "Board", ground: "Colour") -> list[str]:
    """The pieces of a board's game that look like its ground, by name."""
    from msgspec.structs import replace

    from hexboard.appearance import KIT
    from hexboard.vision.cells.colours import PIECES, hidden, wanted
    from hexboard.words.errors import BadText

    try:
        used = wanted(looks(board.game))
    except BadText:
        return []
    return [PIECES[k] for k in hidden(replace(KIT, ground=ground)) if PIECES[k] in used]


def _report(
    found: "Placement", board: "Board", path: Path, as_json: bool, better: str = ""
) -> None:
    """Say how a camera stands; `better` is when it stood so that nothing was wrong."""
    import msgspec

    from hexboard.calibration.placement import SIMULATED

    told = [say(doubt) for doubt in doubts(found, board)]
    figures = {"file": str(path), **msgspec.to_builtins(found), "doubts": told}
    lines = [f"  {line}" for line in told]
    if better:
        lines.append(say(message("placement.better", date=better[:10], board=board.name)))
    if found.by == "markers" and found.source != SIMULATED:
        lines.append(say(message("placement.ruler")))
    tell(
        as_json,
        figures,
        say(sentence(found, board)),
        *lines,
        say(message("kept.as", file=str(path), version=found.version)),
    )


def sentence(found: "Placement", board: "Board") -> Message:
    """A placement in words."""
    bare: Message | str = ""
    sharp: Message | str = ""
    if found.bare is not None:
        bare = message("placement.bare", bare=found.bare, all=len(board.cells))
    if found.blur:
        sharp = message("placement.sharp", blur=decimal(found.blur, 1))
    lights = found.by == "lights"
    return message(
        "placement.found",
        seen=found.seen,
        by=message("placement.lights" if lights else "placement.markers"),
        error=decimal(found.error, 2),
        scale=decimal(found.per_mm, 1),
        sharp=sharp,
        tilt=f"{found.tilt:.0f}",
        dark=f"{found.paper[0]:.0%}",
        full=f"{found.paper[1]:.0%}",
        bare=bare,
        held=", ".join(found.held.names) or message("placement.unheld"),
    )
