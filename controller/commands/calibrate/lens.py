"""`hexboard calibrate camera`: what a camera's lens does, live or from photos of a sheet."""

import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import CAMERA, JSON, TypedPath, tell
from hexboard.commands.calibrate.person import show_too
from hexboard.commands.spoken import wrong
from hexboard.words import Message, message, say
from hexboard.words.dates import iso_date
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from hexboard.vision.camera.controls import Controls
    from hexboard.vision.frame import Frame, Picture
    from hexboard.vision.pose.lens import Lens, Survey

STEADY_S = 1.0
"""Between two views that a live camera gives, s: time to move the sheet."""


Size = tuple[int, int]
SIDES = (100, 10_000)
"""What a side of a live camera's pictures can be, px."""


@click.command()
@click.option(
    "--images",
    type=TypedPath(exists=True),
    help="A folder of photos instead of a live camera.",
)
@CAMERA
@click.option("--size", default="1920x1080", show_default=True, help="Of a live camera's pictures.")
@click.option("--wide", is_flag=True, help="A wide lens (over 90 degrees).")
@click.option("--rollback", is_flag=True, help="Bring the calibration before this one back.")
@JSON
@click.pass_obj
def camera(
    home: Path,
    images: Path | None,
    source: str | None,
    size: str,
    wide: bool,
    rollback: bool,
    as_json: bool,
) -> None:
    """Measure a camera's lens. Print `hexboard sheet charuco`, glue it onto something flat, and
    show it from many sides (docs/camera.md)."""
    from hexboard.calibration import lens_file

    path = lens_file.path(home)
    if rollback:
        lens = lens_file.rollback(path)
        if as_json:
            _report(lens, path, as_json)
        else:
            click.echo(say(message("lens.back", file=str(path), rms=decimal(lens.rms, 2))))
        return
    if (images is None) == (source is None):
        raise wrong("Name either --images FOLDER or --camera SOURCE.")
    if images:
        surveys = surveyed(_photos(images), wide, as_json)
    else:
        frames = _now_and_then(live(str(source), _size(size)))
        surveys = surveyed(frames, wide, as_json, until_enough=True)
    survey = _largest(surveys)
    try:
        lens = survey.lens()
    finally:
        for view, error in survey.left:
            left = message("lens.left", file=view.name or "one view", error=decimal(error, 1))
            click.echo(say(left), err=True)
    lens_file.save(path, lens, iso_date())
    _report(lens, path, as_json)


def _photos(folder: Path) -> "Iterator[Frame]":
    from hexboard.commands.see import pass_over
    from hexboard.vision.frame import files, pictures

    pass_over(folder, files(folder))
    yield from pictures(folder, lambda error: click.echo(str(error), err=True))


def surveyed(
    frames: "Iterator[Frame]", wide: bool, quiet: bool, until_enough: bool = False
) -> "dict[Size, Survey]":
    """The views in these frames, by size. What each brings is said, once while it stays the same;
    unless `quiet`."""
    from hexboard.vision.pose.lens import Survey

    surveys: dict[Size, Survey] = {}
    said = message("setup.looking")
    short: Message | None = None
    show_too(said, "sheet")
    for frame in frames:
        height, width = frame.image.shape[:2]
        survey = surveys.setdefault((width, height), Survey((width, height), wide))
        refused = survey.add(grey(frame), Path(frame.name).name)
        line = _line(frame, survey, refused)
        if line != said and not quiet:
            click.echo(say(line))
        said = line
        show_too(said, "sheet", short)
        if until_enough and refused is None and survey.missing() is None:
            short = _short_of(survey)
            if short is None:
                break
            click.echo(say(short), err=True)
    return surveys


def _short_of(survey: "Survey") -> Message | None:
    """Why the views so far give no lens; None where they do. Beside others enough, one in which the
    sheet was bent or moved is left out."""
    from hexboard.vision.pose.lens import BadLens

    try:
        survey.lens()
    except BadLens as why:
        return message("lens.not_yet", why=str(why))
    return None


def _largest(surveys: "dict[Size, Survey]") -> "Survey":
    """The survey of the size that most views have; what is left out is said."""
    from hexboard.vision.pose.lens import Survey

    most = max(surveys.values(), key=lambda survey: len(survey.views), default=Survey((0, 0)))
    for survey in surveys.values():
        if survey is not most and survey.views:
            size, wanted = ("{}x{}".format(*one.size) for one in (survey, most))
            left = message("lens.size", count=len(survey.views), size=size, wanted=wanted)
            click.echo(say(left), err=True)
    return most


def _now_and_then(frames: "Iterator[Frame]") -> "Iterator[Frame]":
    """No more than one in `STEADY_S` seconds."""
    last = 0.0
    for frame in frames:
        if time.monotonic() - last > STEADY_S:
            last = time.monotonic()
            yield frame


def live(source: str, size: tuple[int, int], held: "Controls | None" = None) -> "Generator[Frame]":
    """A live camera's frames. Raises `BadCamera` where there is none to begin with; one that goes
    later, or cannot be held, is said."""
    from hexboard.vision.camera.capture import Capture
    from hexboard.vision.camera.controls import FREE
    from hexboard.vision.frame import BadCamera, spoken

    begun = False

    def said(trouble: Message | None) -> None:
        if trouble is None:
            trouble = message("camera.back", camera=spoken(source))
        elif not begun:
            raise BadCamera(trouble.key, **dict(trouble.values))
        click.echo(say(trouble), err=True)
        show_too(trouble)

    capture = Capture(source, size, said, held or FREE)
    for frame in capture.frames():
        if not begun and capture.loose is not None:
            click.echo(say(capture.loose), err=True)
        begun = True
        yield frame


def grey(frame: "Frame") -> "Picture":
    import cv2
    import numpy as np

    return np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY))


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(side) for side in text.split("x"))
    except ValueError:
        width = height = 0
    if not all(SIDES[0] <= side <= SIDES[1] for side in (width, height)):
        least, most = SIDES
        raise wrong(
            "--size: written as 1280x720, each side from {least} to {most} px",
            least=least,
            most=most,
        )
    return width, height


def _line(frame: "Frame", survey: "Survey", refused: Message | None) -> Message:
    """Whether a view was taken or why not, and, live, what the next one should show."""
    name, count, missing = Path(frame.name).name, len(survey.views), survey.missing()
    covered = f"{survey.coverage:.0%}"
    told = refused or message("lens.taken", count=count, covered=covered)
    what = name or message("lens.view", count=count)
    if name or missing is None:
        return message("lens.line", what=what, told=told)
    return message("lens.line_next", what=what, told=told, next=missing)


def _report(lens: "Lens", path: Path, as_json: bool) -> None:
    fx = float(lens.camera.matrix[0, 0])
    told = {"file": str(path), "rms": lens.rms, "worst": lens.worst, "fx": fx}
    told |= {"fx_sigma": lens.fx_sigma, "views": lens.views, "coverage": lens.coverage}
    done = message(
        "lens.done",
        rms=decimal(lens.rms, 2),
        worst=decimal(lens.worst, 2),
        fx=decimal(fx, 1),
        sigma=f"{lens.fx_sigma:.2%}",
        views=lens.views,
        file=str(path),
    )
    tell(as_json, told, say(done))
