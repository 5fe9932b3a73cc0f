"""All circuit boards of a chain in a row, as ngspice simulates them: clock, latch, data, and 5 V.

Times of a 74HC165, up to 85 °C: NXP's data sheet (rev. 3, table 7) at 2.0 and 4.5 V; setup of TI's
CD74HC165 (SCHS156D, 5.5) there, hold of Nexperia (rev. 8). At 3.3 V what lies between on a straight
line: onsemi, who give them at 3.0 V, have half of that. Everything else that is assumed stands
below.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from hexboard.board import Board, BuildEntry, Cell
from hexboard.board.building import LED_MA, has_led
from hexboard.commands.build.measures import INPUTS, SLACK
from hexboard.commands.build.module import fuse
from hexboard.commands.build.module.circuit import EDGES
from hexboard.commands.build.module.routing import Copper, CopperLine
from hexboard.commands.build.module.wires import (
    BESIDE,
    by_hand,
    chain_row,
    hand_hops_mm,
    hops_mm,
    module_inputs,
    registers,
)
from hexboard.commands.build.power import COPPER_OHM, VOLTS
from hexboard.words.errors import BadText

LOGIC = 3.3
_SHARE = (LOGIC - 2.0) / (4.5 - 2.0)
DELAY_NS = 205 + _SHARE * (41 - 205)
"""From a clock's edge to QH, at most."""
SOON_NS = (52 + _SHARE * (19 - 52)) / 2
"""At least: no data sheet says it; half of what is typical is our assumption."""
SETUP_NS = 100 + _SHARE * (20 - 100)
HOLD_NS = 5.0
PULSE_NS = 100 + _SHARE * (20 - 100)
"""How long a clock must be high, and low."""
LOW, HIGH = 0.3 * LOGIC, 0.7 * LOGIC
"""What a 74HC takes for low and for high."""
SWING = HIGH - LOW
EDGE_NS = 600 / (0.8 * 3.0) * SWING
"""How slow an edge may be between the two: onsemi's 600 ns at 3.0 V, from a tenth of it to nine. A
straight line from 2.0 to 4.5 V would allow more."""
RECOVER_NS = 125 + _SHARE * (25 - 125)
"""From the latch to the first clock."""
PAUSE_NS = 1000.0
"""What MicroPython takes from one statement to the next, at least. Assumed."""
READ_NS = 30.0
"""How long before it samples the Pico wants data: four of its clocks at 125 MHz. Assumed."""
INPUT_PF = 10.0
"""Of a 74HC's input, at most; 3.5 is typical."""
PICO_OHM = 120.0
"""Of a Pico's pin at 4 mA: 170 ohm at most, 40 to 60 are typical. Assumed."""
SERIES_OHM = 100.0
"""In front of clock and latch of the first register (hardware/wiring.md)."""
BUFFER_OHM, BUFFER_PF, BUFFER_NS = 20.0, 5.0, 3.0
"""Of a 74LVC1G34: its output, its input, how slow it is within (4.1 ns at most with 50 pF)."""
ONWARD_OHM = 68.0
"""Behind it: R15."""
QH_OHM = 100.0
"""Of a 74HC's output."""
WIRE = 0.7, 0.06
"""Of 1 mm of ribbon cable beside ground, nH and pF: 110 ohm. Assumed."""
TRACK = 0.5, 0.07
"""Of 1 mm of track over ground, nH and pF, 0.25 mm wide on 1.6 mm FR4. Assumed."""
CONTACT_OHM = 0.02
"""Of a JST PH contact after use; two to a cable."""
SQUARE_OHM = 0.0005
"""Of a square of copper 35 µm thick."""


class ModuleChain(Struct, frozen=True):
    """What hangs in a row: of each circuit board, the first at the Pico, its lights and LEDs; then
    of each register that is wired by hand."""

    name: str
    lights: tuple[int, ...]
    leds: tuple[int, ...]
    cables_mm: tuple[float, ...]
    """From each to the next."""
    registers: int
    """One on each circuit board, and those of the sensors that are on none."""
    squares: float = 12.0
    """Of copper for 5 V, from plug to plug."""
    dark: tuple[int, ...] = ()
    """How many of the lights of each belong to no cell, where there are any: they idle."""


class ChainTimes(Struct, frozen=True):
    """Clock, latch and data, in ns, and margins as ratios: 2 is twice what is needed."""

    modules: int
    registers: int
    clock_mhz: float
    skew_ns: float
    """From the first register's clock to the last one's."""
    rise_ns: float
    fall_ns: float
    """Of the clock at the last register, from what is low to what is high."""
    latch_ns: float
    """Until the last latch stays high, ringing and all."""
    clean: bool
    """Whether the last clock is low and high once in each period, and not more often."""
    hop_ns: float
    """Data from one register to the next."""
    setup: float
    hold: float
    edge: float
    """How slow an edge may be, against how slow the slowest is."""
    pulse: float
    read: float
    """The same as setup, where the Pico reads."""
    latch: float
    """How long the firmware takes to the first clock, against what latch and register need."""


class ChainVolts(Struct, frozen=True):
    """5 V at the light that is worst off."""

    feeds: tuple[int, ...]
    """The modules that wires from the supply go to."""
    full_white: float
    limited: float
    """The same, where all that the limit allows is drawn by slots side by side, wherever that is
    worst."""


def clock_hz(pins: str) -> int:
    """The chain's clock, as the firmware's `pins.py` has it."""
    found = re.search(r"baudrate=([\d_]+)", pins)
    assert found, "pins.py names no baudrate"
    return int(found[1])


def length(copper: Copper, net: str) -> float:
    """How long all tracks of a net are, mm: more than the way through them."""
    return sum(_long(line) for line in copper.lines if line.net == net)


def _long(line: CopperLine) -> float:
    (ax, ay), (bx, by) = line.start, line.end
    return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)


def slot_chain(board: Board, kinds: Collection[str] = BESIDE) -> ModuleChain:
    """A circuit board for each slot, those of end zones and ramps between them, and what is wired
    by hand behind them."""
    row, loose = chain_row(board, kinds), by_hand(board, kinds)
    lit = {it.id for it in board.sensors if has_led(board, it)}
    slots = Counter(cell for it, (cell, _) in module_inputs(board).items() if it in lit)
    lights = tuple(len(EDGES) * isinstance(it, Cell) for it in row)
    leds = tuple(
        slots[it.id] if isinstance(it, Cell) else sum(s.id in lit for s in it.sensors) for it in row
    )
    hand = Counter(it.input // INPUTS for it in loose.sensors if it.source == "pico")
    near = Counter(
        it.input // INPUTS for it in loose.sensors if it.source == "pico" and it.id in lit
    )
    lights, leds = lights + (0,) * len(hand), leds + tuple(near[k] for k in sorted(hand))
    hops = (*hops_mm(board, kinds), *hand_hops_mm(board, kinds))
    cables = tuple(SLACK * it for it in hops)
    return ModuleChain(board.name, lights, leds, cables, registers(board, kinds))


# -------------------------------------------------------------------------------------- the decks


def signal_deck(chain: ModuleChain, plan: BuildEntry, coppers: Sequence[Copper], hertz: int) -> str:
    """Clock and latch along the chain, and data from one register to the next and to the Pico, over
    the longest ways. `coppers` are of each circuit board; registers on none have the last one's
    tracks, and nothing that drives the clock anew."""
    period, registers, longest = 1e9 / hertz, chain.registers, max(chain.cables_mm, default=0.0)
    pulse = f"PULSE(0 {LOGIC} 100n 5n 5n {period / 2 - 5:g}n {period:g}n)"
    lines = [f"* {chain.name}: clock, latch and data along {registers} registers"]
    step = f"PULSE(0 {LOGIC} {100 + period:g}n 5n 5n 1 2)"
    for name, net, wave in (("c", "CLOCK", pulse), ("l", "LATCH", step)):
        lines += _sent(name, wave, PICO_OHM + SERIES_OHM)
        lines += _line(f"{name}lead", f"{name}0", f"{name}w0", plan.lead_mm, *WIRE)
        for k in range(1, registers + 1):
            copper = coppers[min(k, len(coppers)) - 1]
            track, after = length(copper, net), f"{name}m{k}"
            lines += _line(f"{name}t{k}", f"{name}w{k - 1}", f"{name}m{k}", track, *TRACK)
            lines.append(f"C{name}i{k} {name}m{k} 0 {INPUT_PF + BUFFER_PF:g}p")
            if net == "CLOCK" and k <= len(coppers):
                lines += _buffered(name, k)
                on, after = length(copper, "CLOCK_OUT"), f"{name}e{k}"
                lines += _line(f"{name}o{k}", f"{name}d{k}", after, on, *TRACK)
            cable = chain.cables_mm[k - 1] if k <= len(chain.cables_mm) else longest
            lines += _line(f"{name}c{k}", after, f"{name}w{k}", cable, *WIRE)
    way = sum(max(length(it, net) for it in coppers) for net in ("DATA_IN", "DATA_OUT"))
    for name, wire in (("h", longest), ("r", plan.lead_mm)):
        lines += _sent(name, pulse, QH_OHM)
        lines += _line(f"{name}t", f"{name}0", f"{name}1", way, *TRACK)
        lines += _line(f"{name}w", f"{name}1", f"{name}2", wire, *WIRE)
        lines.append(f"C{name}i {name}2 0 {INPUT_PF:g}p")
    first, last, latch = "v(cm1)", f"v(cm{registers})", f"v(lm{registers})"
    middle = f"{LOGIC / 2:g}"
    wanted = (
        *(("sent", "v(cs)", middle, "RISE=1"), ("first", first, middle, "RISE=1")),
        *(("first_high", first, HIGH, "RISE=1"), ("last", last, middle, "RISE=1")),
        *(("last_low", last, LOW, "RISE=1"), ("last_high", last, HIGH, "RISE=1")),
        *(("last_up", last, HIGH, "FALL=1"), ("last_down", last, LOW, "FALL=1")),
        *(("again_low", last, LOW, "RISE=2"), ("again_high", last, HIGH, "RISE=2")),
        ("latch", latch, HIGH, "CROSS=LAST"),
        *(("hop", "v(h2)", HIGH, "RISE=1"), ("back", "v(r2)", HIGH, "RISE=1")),
    )
    lines.append(f".tran 0.5n {100 + 4 * period:g}n")
    for name, what, level, edge in wanted:
        lines.append(f".meas tran {name} WHEN {what}={level} {edge} TD={100 + period:g}n")
    return "\n".join([*lines, ".end", ""])


def _sent(name: str, pulse: str, ohm: float) -> Iterator[str]:
    yield f"V{name} {name}s 0 {pulse}"
    yield f"R{name} {name}s {name}0 {ohm:g}"


def _buffered(name: str, k: int) -> Iterator[str]:
    """What drives the clock on to the next module."""
    here, half = f"{name}m{k}", LOGIC / 2
    yield f"B{name}{k} {name}a{k} 0 V={half:g}*(1+tanh(8*(V({here})-{half:g})))"
    yield f"R{name}a{k} {name}a{k} {name}b{k} 100"
    yield f"C{name}b{k} {name}b{k} 0 {BUFFER_NS * 10:g}p"
    yield f"E{name}{k} {name}q{k} 0 {name}b{k} 0 1"
    yield f"R{name}q{k} {name}q{k} {name}d{k} {BUFFER_OHM + ONWARD_OHM:g}"


def _line(
    name: str, start: str, end: str, length_mm: float, nano: float, pico: float
) -> Iterator[str]:
    """A piece of wire or track: inductance, and half its capacitance at each end."""
    yield f"L{name} {start} {end} {length_mm * nano:g}n"
    yield f"C{name}a {start} 0 {length_mm * pico / 2:g}p"
    yield f"C{name}b {end} 0 {length_mm * pico / 2:g}p"


def feeds(chain: ModuleChain, plan: BuildEntry) -> tuple[int, ...]:
    """To which modules 5 V come: as often as lights are fed."""
    lit = [k for k, lights in enumerate(chain.lights) if lights]
    return tuple(lit[:: max(1, plan.feed_every // max(1, *chain.lights))])


def supply_deck(chain: ModuleChain, board: Board, plan: BuildEntry) -> str:
    """5 V along the chain: full white; and what the limit allows, drawn from each place on."""
    lines = [f"* {chain.name}: 5 V along {len(chain.lights)} circuit boards"]
    for name, drawn in _scenes(chain, board).items():
        lines += _ladder(chain, plan, name, drawn)
    return "\n".join([*lines, ".op", ".end", ""])


def _scenes(chain: ModuleChain, board: Board) -> dict[str, list[float]]:
    """What the lights of each module draw, mA."""
    rail = fuse.lit(board)
    idle = [lights * rail.idle_ua / 1000 for lights in chain.lights]
    dark = chain.dark or (0,) * len(idle)
    lit = [lights - few for lights, few in zip(chain.lights, dark, strict=True)]
    white = [of + it * 3 * rail.channel_ua / 1000 for of, it in zip(idle, lit, strict=True)]
    count = len(idle)
    found = {"f": white}
    for start in range(count):
        rest, drawn = rail.limit_ma - sum(idle), list(idle)
        for k in [*range(start, count), *reversed(range(start))]:
            more = min(rest, white[k] - idle[k])
            drawn[k] += more
            rest -= more
        found[f"s{start}"] = drawn
    return found


def _ladder(
    chain: ModuleChain, plan: BuildEntry, name: str, drawn: Sequence[float]
) -> Iterator[str]:
    """The chain with one scene; both of 5 V and ground have resistance."""
    plugs = 2 * CONTACT_OHM + chain.squares * SQUARE_OHM
    lead = COPPER_OHM * plan.lead_mm / 1000 / plan.wire_mm2
    yield f"V{name}_s {name}s 0 {VOLTS:g}"
    for k in feeds(chain, plan):
        yield f"R{name}_f{k} {name}s {name}p{k} {lead:.5g}"
        yield f"R{name}_b{k} {name}g{k} 0 {lead:.5g}"
    for k, leds in enumerate(chain.leds):
        if k < len(chain.cables_mm):
            hop = plugs + COPPER_OHM * chain.cables_mm[k] / 1000 / plan.strip_mm2
            yield f"R{name}_p{k} {name}p{k} {name}p{k + 1} {hop:.5g}"
            yield f"R{name}_g{k} {name}g{k} {name}g{k + 1} {hop:.5g}"
        yield f"I{name}_{k} {name}p{k} {name}g{k} {drawn[k] + LED_MA * leds:g}m"


# ------------------------------------------------------------------------------------- simulated


def simulated(path: Path) -> str:
    """What ngspice says of a deck. Raises `BadText` if it is not here, or fails."""
    try:
        done = subprocess.run(
            ["ngspice", "-b", str(path)], capture_output=True, text=True, timeout=120
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadText("module.ngspice", why=str(error)[:200]) from error
    if done.returncode:
        raise BadText("module.ngspice", why=(done.stderr or done.stdout).strip()[-200:])
    return done.stdout


def times(told: str, modules: int, registers: int, hertz: int) -> ChainTimes:
    """The margins, from what ngspice measured. Raises `BadText` if it could not measure one."""
    at = _measured(told)
    period, skew = 1e9 / hertz, at["last"] - at["first"]
    rise, fall = at["last_high"] - at["last_low"], at["last_down"] - at["last_up"]
    latch = at["latch"] - at["sent"]
    hop, back = at["hop"] - at["sent"], at["back"] - at["sent"]
    step, high = skew / max(1, registers - 1), at["last_up"] - at["last_high"]
    low = period - high - rise - fall
    again = (at["again_low"] - at["last_low"], at["again_high"] - at["last_high"])
    late = at["first_high"] - at["sent"]
    return ChainTimes(
        modules=modules,
        registers=registers,
        clock_mhz=hertz / 1e6,
        skew_ns=round(skew, 1),
        rise_ns=round(rise, 1),
        fall_ns=round(fall, 1),
        latch_ns=round(latch, 1),
        clean=all(abs(it - period) < 0.01 * period for it in again),
        hop_ns=round(hop, 1),
        setup=round((period - step - DELAY_NS - hop) / SETUP_NS, 1),
        hold=round((SOON_NS + step + hop) / HOLD_NS, 1),
        edge=round(EDGE_NS / max(rise, fall), 1),
        pulse=round(min(high, low) / PULSE_NS, 1),
        latch=round(PAUSE_NS / (latch + RECOVER_NS), 1),
        read=round((period / 2 - late - DELAY_NS - back) / READ_NS, 1),
    )


MEASURED = (
    *("sent", "first", "first_high", "last", "last_low", "last_high", "last_up", "last_down"),
    *("again_low", "again_high", "latch", "hop", "back"),
)
"""What a signal deck asks ngspice for."""


def _measured(told: str) -> dict[str, float]:
    """Each time that was asked for, ns."""
    said = re.findall(r"^(\w+)\s*=\s*([-+.\de]+)\b", told, re.M)
    at = {name: 1e9 * float(value) for name, value in said}
    if lacks := [name for name in MEASURED if name not in at]:
        raise BadText("module.ngspice", why=", ".join(lacks))
    return at


def volts(told: str, chain: ModuleChain, board: Board, plan: BuildEntry) -> ChainVolts:
    """The worst of each scene, from what ngspice printed. Raises `BadText` if it printed none."""
    at = {
        name: float(value)
        for name, value in re.findall(r"^\s*(\w+)\s+(\S+)$", told, re.M)
        if re.fullmatch(r"[fs]\d*[pg]\d+", name)
    }
    found = [
        (name, at[node] - at[node.replace("p", "g")])
        for node in at
        if "p" in node and chain.lights[int(node.partition("p")[2])]
        for name in (node.partition("p")[0],)
    ]
    if {name for name, _ in found} != {*_scenes(chain, board)}:
        raise BadText("module.ngspice", why="supply.cir")
    full = min(value for name, value in found if name == "f")
    limited = min(value for name, value in found if name != "f")
    return ChainVolts(feeds(chain, plan), round(full, 2), round(limited, 2))
