"""What a board draws, by calculation: rails, wires, fuses, heat, and how long a power bank lasts.

Lights are limited by the very code that dims them in play (`hexboard.lights.frame`). Sources:
lights' currents, `PIXEL_TYPES`; copper, IEC 60028 (1/58 Ω mm²/m at 20 °C); LEDs of beams, 390 Ω
from 5 V; Pico and registers, hardware/wiring.md.
"""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from hexboard.board import Board, BuildEntry
from hexboard.board.building import LED_MA, beams_fuse, bears, leds
from hexboard.commands.build.measures import fed
from hexboard.lights.frame import LightRenderer, LightSettings, limit
from hexboard.scene import Mark, Meaning
from hexboard.words import Message, message, say
from hexboard.words.numbers import decimal

VOLTS = 5.0
COPPER_OHM = 1 / 58
"""What 1 m of copper of 1 mm² has, at 20 °C."""
PARTED_OHM = 1e9
"""Between two parts of a rail's strip, where another rail's lights are: no 5 V go from one to the
other."""
CELL_VOLTS = 3.7
"""What the figure printed on a power bank is at."""
FULL = "full white"
"""The scene that lights all of every light; no game shows it."""
BANK_SHARE = 0.85
"""How much of that a bank gives at 5 V: what its converter loses is an assumption of ours."""


class SceneDraw(Struct, frozen=True):
    """What the lights of a rail draw in a scene: as wanted, and as the limit lets them, mA."""

    scene: str
    wanted_ma: int
    given_ma: int


class RailBudget(Struct, frozen=True):
    """A rail: its scenes, the largest wanted last, and what they do to wires, as limited."""

    rail: str
    lights: int
    limit_ma: int
    fuse_ma: int | None
    wire_mm2: float
    wire_bears_ma: int
    scenes: tuple[SceneDraw, ...]
    worst_ma: int
    """All lights full white, if software fails."""
    last_volts: float
    """At the light that is worst off, as limited."""
    unlimited_volts: float
    """There, if software fails."""
    wire_watts: float
    light_watts: float


class Budget(Struct, frozen=True):
    """A board's supply."""

    board: str
    supply_ma: int
    beams_ma: int
    beams_fuse_ma: int
    """The fuse that the beams have to themselves; 0 for none."""
    beams_on: str
    """The rail behind whose fuse they are; "" for none."""
    rails: tuple[RailBudget, ...]
    most_ma: int
    """From the 5 V supply: every rail at its limit or full white, and the beams."""
    usual_ma: int
    """The same in a usual scene: every cell lit as open, at the brightness of the settings."""
    bank_mah: int
    hours_most: float
    hours_usual: float


def budget(board: Board, plan: BuildEntry, settings: LightSettings) -> Budget:
    """The figures of a board."""
    rails = tuple(_rail(board, plan, settings, k) for k in range(len(board.rails)))
    beams = LED_MA * leds(board)
    most = beams + sum(max((it.given_ma for it in rail.scenes), default=0) for rail in rails)
    usual = beams + sum(rail.scenes[0].given_ma for rail in rails if rail.scenes)
    return Budget(
        board=board.name,
        supply_ma=plan.supply_ma,
        beams_ma=beams,
        beams_fuse_ma=beams_fuse(plan, board),
        beams_on=plan.beams_on if beams else "",
        rails=rails,
        most_ma=most,
        usual_ma=usual,
        bank_mah=plan.bank_mah,
        hours_most=_hours(plan, most),
        hours_usual=_hours(plan, usual),
    )


def _hours(plan: BuildEntry, draw_ma: int) -> float:
    """How long a power bank gives this at 5 V."""
    at_five = plan.bank_mah * CELL_VOLTS / VOLTS * BANK_SHARE
    return round(at_five / draw_ma, 1) if draw_ma else 0.0


def _rail(board: Board, plan: BuildEntry, settings: LightSettings, number: int) -> RailBudget:
    rail = board.rails[number]
    own = [i for i, pixel in enumerate(board.pixels) if pixel.rail == number]
    scenes = _scenes(board, settings, number, own) if own else ()
    worst = Counter(board.feeds)[number] * (rail.idle_ua + 3 * rail.channel_ua)
    given = max((it.given_ma for it in scenes), default=0)
    drops, heat = _drops(board, plan, own, given / 1000)
    failed, _ = _drops(board, plan, own, worst / 1e6)
    return RailBudget(
        rail=rail.id,
        lights=len(own),
        limit_ma=rail.limit_ma,
        fuse_ma=plan.fuses.get(rail.id),
        wire_mm2=plan.wire_mm2,
        wire_bears_ma=bears(plan.wire_mm2),
        scenes=scenes,
        worst_ma=-(-worst // 1000),
        last_volts=round(VOLTS - max(drops, default=0.0), 2),
        unlimited_volts=round(VOLTS - max(failed, default=0.0), 2),
        wire_watts=round(heat, 2),
        light_watts=round(VOLTS * given / 1000 - heat, 2),
    )


def _scenes(
    board: Board, settings: LightSettings, number: int, own: list[int]
) -> tuple[SceneDraw, ...]:
    """Every meaning on every cell at once at the brightness of the settings; then full white: what
    a rail's `own` lights draw."""
    renderer, found = LightRenderer(board, settings), []
    dark = [0] * (Counter(board.feeds)[number] - len(own))
    for meaning in Meaning:
        lights = renderer.lights(tuple(Mark(cell.id, meaning) for cell in board.cells))
        found.append(_draw(board, number, meaning.value, [*dark, *(lights[k].draw for k in own)]))
    return (*found, _draw(board, number, FULL, [*dark, *([3 * 255] * len(own))]))


def _draw(board: Board, number: int, scene: str, draws: list[int]) -> SceneDraw:
    rail = board.rails[number]
    wanted, _, power = limit(draws, rail)
    return SceneDraw(scene, (len(draws) * rail.idle_ua + wanted + 500) // 1000, power.milliamps)


def _drops(
    board: Board, plan: BuildEntry, lights: list[int], amps: float
) -> tuple[list[float], float]:
    """How far below the supply each light of a rail is, V, where all draw the same; and what its
    wires turn to heat, W."""
    each = amps / max(1, len(lights))
    lead = 2 * COPPER_OHM * plan.lead_mm / 1000 / plan.wire_mm2
    between = []
    for a, b in pairwise(lights):
        one, other = board.pixels[a], board.pixels[b]
        apart = math.dist((one.x, one.y), (other.x, other.y))
        joined = max(1e-6, 2 * COPPER_OHM * apart / 1000 / plan.strip_mm2)
        between.append(joined if b == a + 1 else PARTED_OHM)
    here = {it.index for it in fed(board, plan)}
    feeds = [lead if board.pixels[k].index in here else None for k in lights]
    drops = ladder(between, feeds, each)
    return drops, each * sum(drops)


def ladder(between: list[float], feeds: list[float | None], amps: float) -> list[float]:
    """How far below the supply each of some lights in a row is, V: `between` two of them there and
    back so many Ω, to the supply so many where one is fed; each draws `amps`.

    Kirchhoff's currents at each light, solved from one end to the other (Thomas)."""
    ways = [1 / ohm for ohm in between]
    own = [
        (1 / feed if feed else 0.0)
        + (ways[k - 1] if k else 0.0)
        + (ways[k] if k < len(ways) else 0.0)
        for k, feed in enumerate(feeds)
    ]
    flow = [amps] * len(feeds)
    for k in range(1, len(feeds)):
        share = ways[k - 1] / own[k - 1]
        own[k] -= share * ways[k - 1]
        flow[k] += share * flow[k - 1]
    drops = [0.0] * len(feeds)
    for k in range(len(feeds) - 1, -1, -1):
        beyond = ways[k] * drops[k + 1] if k + 1 < len(feeds) else 0.0
        drops[k] = (flow[k] + beyond) / own[k]
    return drops


def meant(scene: str) -> str:
    """What a scene shows everywhere, in words."""
    return say(message("build.full_white" if scene == FULL else f"light.{scene}"))


def told(found: Budget) -> Iterator[Message]:
    """The figures as sentences."""
    yield message(
        "build.draws",
        most=found.most_ma,
        usual=found.usual_ma,
        supply=found.supply_ma,
        beams=found.beams_ma,
    )
    for it in found.rails:
        fuse = "-" if it.fuse_ma is None else str(it.fuse_ma)
        yield message(
            "build.rail", rail=it.rail, lights=it.lights, limit=it.limit_ma, worst=it.worst_ma
        )
        yield message("build.wires", fuse=fuse, wire=decimal(it.wire_mm2), bears=it.wire_bears_ma)
        if it.rail == found.beams_on:
            yield message("build.beams_on", beams=found.beams_ma)
        yield message(
            "build.volts", volts=decimal(it.last_volts), failed=decimal(it.unlimited_volts)
        )
        yield message("build.heat", wires=decimal(it.wire_watts), lights=decimal(it.light_watts))
        for scene in it.scenes:
            wanted, given = scene.wanted_ma, scene.given_ma
            yield message("build.scene", scene=meant(scene.scene), wanted=wanted, given=given)
    if found.beams_fuse_ma:
        yield message("build.own_fuse", beams=found.beams_ma, fuse=found.beams_fuse_ma)
    most, usual = decimal(found.hours_most), decimal(found.hours_usual)
    yield message("build.bank", bank=found.bank_mah, most=most, usual=usual)
