"""`hexboard calibrate show` and `all`: what is calibrated and how well; and all of it in turn."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from hexboard.commands import CAMERA, FOLDER, PORT, board_named
from hexboard.commands.calibrate.pixels import scaled
from hexboard.commands.calibrate.placement import doubts, sentence
from hexboard.words import message, say
from hexboard.words.errors import BadFile, BadText, HexboardError
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.calibration.result import Measured
    from hexboard.calibration.trends import Trend

NAMED = 12
"""So many unfinished sensors are named; `--json` names all."""
SOME, LOUD_S = 3, 600
"""What a sensor did so often is said; of rises by itself, more than one in so many seconds."""
STEPS = ("camera", "board", "colours", "pixels", "sensors")
"""In the order in which one builds on the other."""
SEEN = ("camera", "board", "colours")
"""After these it is rehearsed how well a game can be read."""


class Result(Struct, frozen=True, omit_defaults=True):
    """What a step has found, as it is shown."""

    step: str
    file: str
    said: str
    date: str = ""
    version: int = 0
    earlier: int = 0
    """How many versions `--rollback` can go back to."""
    good: bool = True
    figures: dict[str, Any] = {}


# ----------------------------------------------------------------------------------------- show


@click.command()
@click.argument("board", required=False)
@click.option("--simulate", is_flag=True, help="What was found on a simulated board.")
@click.option(
    "-o",
    "--pictures",
    "folder",
    type=FOLDER,
    help="Write pictures there: the sensors, the lens's errors, the board in view, its lights.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
@click.pass_obj
def show(home: Path, board: str | None, simulate: bool, folder: Path | None, as_json: bool) -> None:
    """What is calibrated of a BOARD and its camera: figures, dates, versions, pictures."""
    from hexboard import settings

    which = board_named(home, board or settings.load(home / "settings.toml").board)
    found = [found_by(home, which, step, simulate) for step in STEPS]
    written = _pictures(home, which, simulate, folder) if folder else []
    if as_json:
        import msgspec

        out = {"board": which.name, "results": msgspec.to_builtins(found), "pictures": written}
        click.echo(json.dumps(out))
        return
    for result in found:
        when = f"{day(result.date)}  " if result.date else ""
        key = "kept.version" if result.version else "kept.before"
        kept = say(message(key, version=result.version, count=result.earlier))
        click.echo(f"{result.step:8} {when}{result.said}{f' [{kept}]' if result.date else ''}")
        for finding in result.figures.get("findings", ()):
            click.echo(f"{'':8} {finding['said']}")
        if result.figures.get("frozen"):
            click.echo(f"{'':8} {say(message('kept.frozen'))}")
        for trend in result.figures.get("trends", ()):
            click.echo(f"{'':8} {trend['said']}")
        for line in result.figures.get("said", ()):
            click.echo(f"{'':8} {line}")
        if left := result.figures.get("unfinished"):
            names = ", ".join(left[:NAMED]) + " …" * (len(left) > NAMED)
            click.echo(f"{'':8} {say(message('kept.unfinished', names=names))}")
        if uncounted := result.figures.get("uncounted"):
            click.echo(f"{'':8} {say(message('kept.uncounted', count=len(uncounted)))}")
    played = [found_by(home, which, step, simulated=True) for step in STEPS]
    if not simulate and not any(it.date for it in found) and any(it.date for it in played):
        click.echo(say(message("kept.only_simulated", board=which.name)))
    for path in written:
        click.echo(say(message("file.drew", file=str(path))))


def found_by(home: Path, board: "Board", step: str, simulated: bool = False) -> Result:
    """What is known of one step; what keeps it from being of use, where there is something."""
    from hexboard.calibration import store

    path = store.file(home / "calibration", step, board.name, simulated)
    if why := needless(board, step):
        return Result(step, str(path), why)
    if not path.exists():
        if simulated and (known := drawn(step)):
            return Result(step, str(path), known)
        return Result(step, str(path), say(message("kept.none", step=step)), good=False)
    try:
        result = TELL[step](path, board)
    except ImportError:
        return Result(step, str(path), say(message("vision.not_installed")), good=False)
    except (BadFile, BadText) as error:
        return Result(step, str(path), str(error), good=False)
    from msgspec.structs import replace

    from hexboard.calibration.versions import KEPT, earlier

    return replace(result, earlier=sum(earlier(path, k).exists() for k in range(1, KEPT + 1)))


def _lens(path: Path, board: "Board") -> Result:
    from hexboard.calibration import lens_file

    lens, read = lens_file.load(path), lens_file.read(path)
    fx = float(lens.camera.matrix[0, 0])
    size = "{} x {}".format(*lens.camera.size)
    told = message(
        "lens.known",
        size=size,
        rms=decimal(lens.rms, 2),
        worst=decimal(lens.worst, 2),
        fx=decimal(fx, 1),
        sigma=f"{lens.fx_sigma:.2%}",
        views=lens.views,
        covered=f"{lens.coverage:.0%}",
    )
    figures: dict[str, Any] = {
        "rms": lens.rms,
        "worst": lens.worst,
        "fx": fx,
        "fx_sigma": lens.fx_sigma,
    }
    figures |= {"views": lens.views, "coverage": lens.coverage, "size": lens.camera.size}
    return Result("camera", str(path), say(told), read.date, figures=figures)


def _placement(path: Path, board: "Board") -> Result:
    import msgspec

    from hexboard.calibration import placement

    found = placement.load(path)
    if found.board != board.name:
        raise BadText("placement.other", made=found.board, board=board.name)
    if placement.stale(found, path):
        raise BadText("placement.lens", board=board.name)
    told = [say(doubt) for doubt in doubts(found, board)]
    said = " ".join([say(sentence(found, board)), *told])
    figures = {**msgspec.to_builtins(found), "doubts": told}
    return Result(
        "board", str(path), said, found.date, found.version, good=not told, figures=figures
    )


def _pixels(path: Path, board: "Board") -> Result:
    from hexboard.calibration import pixels

    found = pixels.load(path)
    names = [pixels.spot(pixel) for pixel in board.pixels]
    pixels.apply(board, found)
    unseen = found.lights.count("")
    moved = sum(bool(a) and a != b for a, b in zip(found.lights, names, strict=True))
    off = max(found.off)
    weakest = decimal(min(found.contrast), 2)
    told = message(
        "pixel_map.known",
        seen=len(names) - unseen,
        all=len(names),
        moved=moved,
        off=decimal(off, 1),
        weakest=weakest,
    )
    wrong = [say(doubt) for doubt in scaled(found)]
    said = ". ".join([say(told), *wrong])
    figures = {"unseen": unseen, "moved": moved, "off_mm": off, "contrast": min(found.contrast)}
    good = not (unseen or wrong)
    return Result("pixels", str(path), said, found.date, found.version, good=good, figures=figures)


def _sensors(path: Path, board: "Board") -> Result:
    import msgspec

    from hexboard.calibration import level, result
    from hexboard.calibration.wizard import told
    from hexboard.perception.health import PULSED
    from hexboard.perception.leaning import Leaning

    found = result.load(path)
    result.apply(board, found)
    left, timed = (
        result.unfinished(board, found),
        sum(bool(s.times) for s in found.sensors.values()),
    )
    said = say(
        message(
            "kept.sensors",
            sure=len(board.sensors) - len(left),
            all=len(board.sensors),
            timed=timed,
            findings=len(found.findings),
            swaps=len(found.swaps),
        )
    )
    figures: dict[str, Any] = {"unfinished": left, "timed": timed, "swaps": found.swaps}
    figures |= {"frozen": found.frozen, "taught": found.taught}
    figures["findings"] = [
        {**msgspec.to_builtins(finding), "said": say(told(finding))} for finding in found.findings
    ]
    figures["sensors"] = msgspec.to_builtins(found.sensors)
    figures["trends"] = [
        {"sensor": sensor, **msgspec.to_builtins(trend), "said": _worse(sensor, trend)}
        for sensor, trend in result.trends(board, found)
    ]
    wire = result.wired(board, found)
    passed = {s.id: found.sensors.get(wire[s.id]) for s in board.sensors if s.kind in PULSED}
    figures["uncounted"] = [s for s, known in passed.items() if known is None or not known.touched]
    figures["said"] = list(_models(passed, wire))
    if lean := Leaning(found.leant).lean(board):
        figures["lean"] = {**msgspec.to_builtins(lean), "sure": lean.sure}
        figures["said"].append(say(level.told(lean)))
    return Result(
        "sensors", str(path), said, found.date, found.version, good=not left, figures=figures
    )


def _worse(sensor: str, trend: "Trend") -> str:
    """A sensor's rates evening by evening, and how sure it is that they fall."""
    rates = " → ".join(f"{rate.felt / rate.of:.0%}" for rate in trend.rates)
    of, once = ", ".join(str(rate.of) for rate in trend.rates), str(trend.once)
    if trend.rates[0].by == "balls":
        return say(message("kept.sees_less", sensor=sensor, rates=rates, of=of, once=once))
    return say(message("kept.feels_less", sensor=sensor, rates=rates, of=of, once=once))


def _models(passed: "dict[str, Measured | None]", there: dict[str, str]) -> Iterator[str]:
    """Which sensors rise by themselves, or speak in each other's stead; and what is not known.
    `there` says for each wire where it is."""
    for sensor, known in passed.items():
        times, seconds = known.alone if known else (0, 0)
        if times >= SOME and times * LOUD_S > seconds:
            minutes = round(seconds / 60)
            yield say(message("kept.alone", sensor=sensor, times=times, minutes=minutes))
        balls = [rate for rate in known.rates if rate.by == "balls"] if known else []
        missed = sum(rate.of - rate.felt for rate in balls)
        for one in known.others if known else ():
            if one.how == "play" and one.times >= SOME and 2 * one.times >= missed:
                other, often = there.get(one.sensor, one.sensor), one.times
                yield say(message("kept.instead", sensor=sensor, other=other, times=often))
    alone = sum(known is None or not known.alone[1] for known in passed.values())
    delay = sum(known is None or known.delay is None for known in passed.values())
    if alone or delay:
        yield say(message("kept.unknown", alone=alone, delay=delay))


def _colours(path: Path, board: "Board") -> Result:
    import msgspec

    from hexboard.calibration import colours
    from hexboard.commands.calibrate.colours import sentence

    found = colours.load(path)
    colours.kit(path, board)
    figures = msgspec.to_builtins(found)
    said = say(sentence(found, board))
    return Result("colours", str(path), said, found.date, found.version, figures=figures)


TELL: dict[str, Callable[[Path, Any], Result]] = {
    "camera": _lens,
    "board": _placement,
    "colours": _colours,
    "pixels": _pixels,
    "sensors": _sensors,
}


def day(date: str) -> str:
    return date[:16].replace("T", " ")


def _pictures(home: Path, board: "Board", simulated: bool, folder: Path) -> list[str]:
    """Draw what can be drawn; where it was written."""
    from hexboard.calibration import result
    from hexboard.calibration.drawing import drawn
    from hexboard.files import whole

    folder.mkdir(parents=True, exist_ok=True)
    written = list[str]()
    if result.place(home, board, simulated).exists():
        found = result.load(result.place(home, board, simulated))
        result.apply(board, found)  # refused where it is of another board
        whole(folder / "sensors.svg", drawn(board, found).encode())
        written.append(str(folder / "sensors.svg"))
    for name, picture in seen(home, board, simulated).items():
        import cv2

        path = folder / f"{name}.png"
        whole(path, cv2.imencode(path.suffix, picture)[1].tobytes())
        written.append(str(path))
    return written


def seen(home: Path, board: "Board", simulated: bool) -> dict[str, Any]:
    """Pictures of what a camera brought."""
    from hexboard.calibration import lens_file, pixels, placement

    lens_path, path = lens_file.path(home), placement.place(home, board, simulated)
    if not (lens_path.exists() or path.exists()):
        return {}
    import cv2
    import numpy as np

    from hexboard.vision.pose import overlay
    from hexboard.vision.pose.lens import MOST_RMS_PX

    drawn: dict[str, Any] = {}
    if lens_path.exists():
        lens = lens_file.load(lens_path)
        drawn["camera"] = overlay.coverage(lens.camera.size, lens.residuals, MOST_RMS_PX)
    found = placement.load(path) if path.exists() else None
    if found and placement.picture(path).exists() and not placement.stale(found, path):
        data = np.frombuffer(placement.picture(path).read_bytes(), np.uint8)
        view, camera = cv2.imdecode(data, cv2.IMREAD_COLOR), _camera(home, board, simulated)
        if view is None:
            raise BadText("camera.not_picture", file=str(placement.picture(path)))
        pose = placement.pose(found)
        drawn["board"] = overlay.placed(view, board, camera, pose)
        if (path := pixels.place(home, board, simulated)).exists():
            lights = pixels.load(path).lights
            names = [pixels.spot(pixel) for pixel in board.pixels]
            pixels.apply(board, pixels.load(path))
            drawn["pixels"] = overlay.mapped(view, board, camera, pose, lights, names)
    return drawn


def jpeg(home: Path, board: "Board", simulated: bool, step: str) -> bytes | None:
    """The picture of what a camera brought in a step; None for none."""
    picture = seen(home, board, simulated).get(step)
    if picture is None:
        return None
    import cv2

    return cv2.imencode(".jpg", picture)[1].tobytes()


def _camera(home: Path, board: "Board", simulated: bool) -> Any:
    from hexboard.calibration import lens_file
    from hexboard.simulator.camera.render import view

    return view(board)[0] if simulated else lens_file.load(lens_file.path(home)).camera


# ------------------------------------------------------------------------------------------ all


@click.command(name="all")
@click.argument("board", required=False)
@CAMERA
@click.option("--simulate", is_flag=True, help="A simulated board, camera and person.")
@PORT
@click.option("--fresh", is_flag=True, help="Every step anew; else what is good is left as it is.")
@click.pass_context
def every(
    context: click.Context,
    board: str | None,
    source: str | None,
    simulate: bool,
    port: str | None,
    fresh: bool,
) -> None:
    """Everything that a BOARD and its camera can have calibrated, in turn.

    What a board has not got is passed over with a word. A run that was stopped goes on with the
    step at which it was.
    """
    from hexboard import settings

    home: Path = context.obj
    chosen = settings.load(home / "settings.toml")
    named = board or chosen.board
    which = board_named(home, named)
    source, link = source or chosen.camera.source, port or chosen.link.port
    anything, seen_anew = False, False
    for step in STEPS:
        command = context.parent and context.parent.command
        known = command.commands.get(step) if isinstance(command, click.Group) else None
        why = lacking(which, step, source, simulate, link, known)
        done = None if fresh else found_by(home, which, step, simulate)
        anything |= not why or bool(done and done.date)
        if why:
            click.echo(f"{step}: {why}")
        elif done is not None and done.good:
            click.echo(f"{step}: {say(message('kept.done', date=day(done.date)))}")
        else:
            assert known is not None
            click.echo(f"{step}:")
            context.invoke(known, **given(known, named, source, simulate, port, fresh))
            seen_anew |= step in SEEN
    if not anything:
        raise HexboardError("kept.nothing_done")
    if seen_anew and which.game:
        _rehearse(context, named, simulate)


def _rehearse(context: click.Context, named: str, simulate: bool) -> None:
    """Rehearse the board's game, where that can be: ends with exit status 1 where it cannot be
    played like this."""
    command = context.parent and context.parent.command
    known = command.commands.get("rehearsal") if isinstance(command, click.Group) else None
    if known is None:
        return
    click.echo("rehearsal:")
    try:
        context.invoke(known, board=named, simulate=simulate)
    except HexboardError as error:  # tiles, which no rehearsal draws
        click.echo(f"  {error}")


def lacking(
    board: "Board", step: str, source: str, simulate: bool, link: str, command: click.Command | None
) -> str:
    """Why a step has nothing to do on this board; "" where it has."""
    from hexboard.devices import ports

    if command is None:
        return say(message("kept.no_command", step=step))
    if why := needless(board, step):
        return why
    if simulate and (known := drawn(step)):
        return known
    if not (source or simulate or step == "sensors"):
        return say(message("kept.no_camera"))
    if _wired(board, step) and not simulate and ports.port(link) is None:
        return say(message("kept.no_pico", step=step))
    return ""


def drawn(step: str) -> str:
    """What nobody has to find out of a simulated camera; "" for anything else."""
    match step:
        case "camera":
            return say(message("kept.known_lens"))
        case "colours":
            return say(message("kept.known_colours"))
        case _:
            return ""


def _wired(board: "Board", step: str) -> bool:
    """Whether a step needs the board's Pico."""
    if step == "pixels":
        return board.strip.source == "pico"
    return step == "sensors" and any(sensor.source == "pico" for sensor in board.sensors)


def needless(board: "Board", step: str) -> str:
    """What a board has not got that a step would calibrate; "" where it has."""
    if step == "sensors" and not board.sensors:
        return say(message("kept.no_sensors"))
    if step == "colours" and not board.game:
        return say(message("kept.no_game"))
    return say(message("kept.no_lights")) if step == "pixels" and not board.pixels else ""


def given(
    command: click.Command,
    named: str,
    source: str,
    simulate: bool,
    port: str | None,
    fresh: bool,
) -> dict[str, Any]:
    """The arguments of a step, by the names of those that it has; the board is `named` so."""
    values: dict[str, Any] = {"board": named, "name": named, "source": source or None}
    values |= {"shape": named, "simulate": simulate, "port": port, "fresh": fresh}
    own = {parameter.name for parameter in command.params}
    return {name: value for name, value in values.items() if name in own}
