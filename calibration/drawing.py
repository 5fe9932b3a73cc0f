"""Drawing: a board with what its calibration knows of each sensor, as SVG.

    drawn(board, calibration)

A disc is a sensor: green is sure, amber not, red has a finding, hollow was never visited. The ring
round it is how many of the counted touches it felt, and the bars below are how long its contacts
were, on one scale for all.
"""

from collections.abc import Iterator
from html import escape
from math import tau

from hexboard.board import Board, Sensor
from hexboard.board.svg import svg
from hexboard.calibration.result import UP_TO_MS, Calibration, Measured, Other, unfinished, wired
from hexboard.calibration.sensors import Finding
from hexboard.calibration.wizard import told
from hexboard.facts import MS
from hexboard.perception.health import PULSED
from hexboard.words import message, say
from hexboard.words.numbers import decimal

STYLE = """
.pixel, .input, .sensor { display: none } .cell, .ramp, .zone { opacity: .5 }
.dot { stroke: #334; stroke-width: .4 } .sure { fill: #2a9d5c } .unsure { fill: #f0b429 }
.found { fill: #d1495b } .open { fill: #fff; stroke-dasharray: 1 1 }
.ring { fill: none; stroke: #334; stroke-width: 1.2 } .all { stroke: #ccd }
.bar { fill: #3a6fd8 } .axis { stroke: #99a; stroke-width: .3 }
.why { fill: #b02a3c; font-weight: bold; font-size: 4px }
.key { text-anchor: start; font-size: 4.5px }
"""
DOT_MM, RING_MM, BAR_MM, HIGH_MM = 2.6, 3.7, 1.1, 4.5


def drawn(board: Board, calibration: Calibration) -> str:
    """The board in millimetres, to scale. `calibration` must be of this board."""
    left = set(unfinished(board, calibration))
    found = {finding.sensor: finding for finding in reversed(calibration.findings)}
    wire = wired(board, calibration)
    over = [f"<style>{STYLE}</style>"]
    for sensor in board.sensors:
        if sensor.placed:
            known = calibration.sensors.get(wire[sensor.id])
            over += _sensor(sensor, known, sensor.id not in left, found.get(sensor.id))
    return svg(board, (*over, *_legend(board)))


def sentence(sensor: Sensor, known: Measured | None) -> str:
    """What is known of a sensor, and what is not: how many touches it felt, how long its contacts
    were, how often it rises by itself, how soon it is believed, who else spoke at its place."""
    told = say(message("calibration.uncounted")) if known is None else "; ".join(_known(known))
    if known is None or sensor.kind not in PULSED:
        return f"{sensor.id}: {told or say(message('calibration.uncounted'))}"
    lacks = [
        *([] if known.touched else ["calibration.uncounted"]),
        *([] if known.alone[1] else ["calibration.unheard"]),
        *([] if known.delay else ["calibration.unrolled"]),
    ]
    return f"{sensor.id}: {'; '.join(filter(None, (told, *(say(message(it)) for it in lacks))))}"


def _known(known: Measured) -> Iterator[str]:
    if known.touched:
        yield say(message("calibration.felt", felt=known.felt, touched=known.touched))
    if known.spread:
        yield _contacts(known.spread)
    times, seconds = known.alone
    if seconds:
        minutes = f"{seconds / 60:.0f}" if seconds >= 60 else decimal(seconds / 60, 1)
        yield say(message("calibration.alone", times=times, minutes=minutes))
    if known.delay:
        usual, most = (decimal(it / MS, 1) for it in known.delay)
        yield say(message("calibration.delay", usual=usual, most=most))
    yield from map(spoke, known.others)


def spoke(other: Other) -> str:
    """That another sensor spoke when a place was touched or passed."""
    name = other.sensor or say(message("calibration.nothing"))
    match other.how:
        case "with":
            return say(message("calibration.other_with", sensor=name, times=other.times))
        case "instead":
            return say(message("calibration.other_instead", sensor=name, times=other.times))
    return say(message("calibration.other_play", sensor=name, times=other.times))


def _contacts(spread: tuple[int, ...]) -> str:
    """From which class to which its contacts were."""
    classes = [k for k, count in enumerate(spread) if count]
    least, most = (0, *UP_TO_MS)[classes[0]], (*UP_TO_MS, "…")[classes[-1]]
    return say(message("calibration.contacts", count=sum(spread), least=least, most=most))


def _sensor(
    sensor: Sensor, known: Measured | None, sure: bool, finding: Finding | None
) -> Iterator[str]:
    unsure = "open" if known is None or known.state == "open" else "unsure"
    look = "found" if finding else "sure" if sure else unsure
    why = f" {say(told(finding))}" if finding else ""
    yield f'<g class="spot" transform="translate({sensor.x} {-sensor.y})">'
    yield f"<title>{escape(sentence(sensor, known) + why)}</title>"
    if known is not None and known.touched:
        yield f'<circle class="ring all" r="{RING_MM}"/>'
        yield _ring(known.felt / known.touched)
    yield f'<circle class="dot {look}" r="{DOT_MM}"/>'
    if known is not None:
        yield from _bars(known.spread)
    if finding:
        rate = f" {known.felt}/{known.touched}" if known is not None and known.touched else ""
        yield f'<text class="why" y="{-RING_MM - 1.2}">{escape(finding.kind + rate)}</text>'
    yield "</g>"


def _ring(rate: float) -> str:
    """So much of a ring, from the top clockwise."""
    round_mm = tau * RING_MM
    return (
        f'<circle class="ring" r="{RING_MM}" transform="rotate(-90)" '
        f'stroke-dasharray="{rate * round_mm:.2f} {round_mm:.2f}"/>'
    )


def _bars(spread: tuple[int, ...]) -> Iterator[str]:
    """A bar a class, beside the disc, on a line as long as all classes."""
    left, low = RING_MM + 1, HIGH_MM / 2
    if spread:
        end = left + len(spread) * BAR_MM
        yield f'<line class="axis" x1="{left}" y1="{low}" x2="{end:.1f}" y2="{low}"/>'
    for k, count in enumerate(spread):
        if count:
            high, x = max(HIGH_MM * count / max(spread), 0.5), left + k * BAR_MM
            place = f'x="{x:.1f}" y="{low - high:.1f}" width="{BAR_MM - 0.1:.1f}"'
            yield f'<rect class="bar" {place} height="{high:.1f}"/>'


def _legend(board: Board) -> Iterator[str]:
    """What the signs mean, below the board: first the discs, a line each."""
    points = [point for cell in board.cells for point in board.corners(cell.id)]
    x, y = min(x for x, _ in points) - 28, 8 - min(y for _, y in points)
    looks = ("sure", "unsure", "found", "open")
    for row, line in enumerate(say(message("calibration.legend")).splitlines()):
        low = y + 5 * row
        if row < len(looks):
            yield f'<circle class="dot {looks[row]}" cx="{x}" cy="{low - 1.5}" r="1.8"/>'
        yield f'<text class="key" x="{x + 4}" y="{low}">{escape(line)}</text>'
