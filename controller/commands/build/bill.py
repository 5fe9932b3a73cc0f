"""The bill of a board: which parts, how many, for about how much, and how many joints by hand."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board, BuildEntry, Sensor
from hexboard.board.board import LAST_INPUT
from hexboard.commands.build.built import (
    FEED_JOINTS,
    Built,
    StillByHand,
    beside_kinds,
    built,
    cabled,
    fed_boards,
    told_built,
)
from hexboard.commands.build.cad.filament import need
from hexboard.commands.build.cad.pieces import PieceKinds
from hexboard.commands.build.cad.tiles import magnets
from hexboard.commands.build.lines import BillLine, bill_line, bought, eur, joints_of, sourced
from hexboard.commands.build.measures import INPUTS, fuses, measures, sensed
from hexboard.commands.build.module.cover import cover
from hexboard.commands.build.module.flower import has_pads
from hexboard.commands.build.module.fuse import one_fuse
from hexboard.commands.build.module.kinds import laid_out
from hexboard.commands.build.module.wires import chained_inputs, far_beams
from hexboard.commands.build.parts import ModuleEntry, PartEntry, PartsFile, ToolEntry
from hexboard.commands.build.power import budget
from hexboard.commands.build.prices import FoundPrice
from hexboard.commands.build.tiers import Tiered, felt
from hexboard.lights.frame import LightSettings
from hexboard.words import Message, message, say, translated
from hexboard.words.errors import BadText
from hexboard.words.numbers import spelt

MOST_REGISTERS = (LAST_INPUT + 1) // INPUTS
"""What the firmware reads."""
NEEDED = ("pico", "register", "beam", "seat", "pad", "button", "rail", "light", "fuse")
"""What a board does not work without: some part has to be counted by each."""
COLUMNS = "tier part name count unit detail low_eur high_eur joints numbers instead sources"


class Modules(Struct, frozen=True):
    """What joints would be with circuit boards that a board house assembles."""

    slots: int
    ramps: int
    zones: int
    sevens: int
    """How many boards of each; the last for seven plain cells each."""
    taken: int
    """Joints of today's that would be on them."""
    left: int
    """Those that stay."""
    far: int
    """Beams at the rim whose legs are too short for their sockets."""
    lengthened: int
    """Joints of those that stay that make them longer."""
    fed: int
    """And that hold the wires which bring 5 V."""
    plugs: int
    """More, where their plugs are soldered by hand."""
    registers: int
    """In the chain then: one a board or more, and those of the sensors that are on none."""
    most_registers: int = MOST_REGISTERS


class Tool(Struct, frozen=True):
    """What it is built with; prices as of parts, None where the file says none."""

    name: str
    low_eur: float | None
    high_eur: float | None


class Bill(Struct, frozen=True):
    """All of it for one tier of a board."""

    board: str
    tier: str
    prices: str
    """When what has no source was estimated: year and month."""
    items: tuple[BillLine, ...]
    low_eur: float
    high_eur: float
    sourced_percent: int
    """How much of low and high together has a source."""
    joints: int
    modules: Modules | None
    """None for plain cells without touch pads, where one of them cannot be drawn, and where the
    file of parts has none."""
    boards: tuple[Built, ...]
    """What it costs with those, by each service of the board house in the file of parts."""
    boards_why: str
    """Why it is not known what they cost, or why there are none that can be drawn."""
    modules_alone: Modules | None
    slots_alone: tuple[Built, ...]
    """The same with those for slots alone, where there are others too."""
    draws_ma: int
    supply_ma: int
    """What the board file says that its supply gives; 0 for none."""
    printed: int
    """How many parts are printed, with all repeats."""
    print_g: int
    """Of PLA in them."""
    print_hours: tuple[int, int]
    """How long all of them take, at least and at most."""
    estimated: tuple[str, ...]
    """Those that are reckoned from others like them."""
    why_none: str
    """Why no printed parts are counted, where the board has slots."""
    tools: tuple[Tool, ...]
    plays: str
    """What people say in this tier."""


def bill(tier: Tiered, parts: PartsFile, file: Path, pieces: PieceKinds) -> Bill:
    """The bill of a tier with its game's pieces, by the parts in a file.

    Raises `BadText` where none of them does what the board needs."""
    board, plan = tier.board, tier.plan
    prints = need(board, plan, pieces)
    found = {**measures(board, plan), "printed_kg": prints.bought_kg}
    found["magnet"] = magnets(pieces, len(board.cells)) if found["seat"] else 0
    found["ball"] = pieces.balls
    suited = _suited(board, plan, parts, found, file)
    used = tuple(it for it in suited if bought(it, found) > 0)
    items = tuple(bill_line(part, found, tier, parts.rates) for part in used)
    modules: Modules | None = None
    needed = {what for what, count in found.items() if count}
    boards: tuple[Built, ...] = ()
    alone: tuple[Built, ...] = ()
    modules_alone: Modules | None = None
    fit = _fitting(tier, parts)
    if not (why := _undrawn(tier, fit)) and fit:
        chained = one_fuse(tier)
        modules, rest = _modules(chained, fit, used, found)
        boards, why = built(chained, parts, suited, found, rest)
        needed |= {what for what, count in rest.left.items() if boards and count > 0}
        few = [it for it in fit if it[0].at == "slot"]
        if boards and 0 < len(few) < len(fit):
            modules_alone, rest = _modules(chained, few, used, found)
            alone, _ = built(chained, parts, suited, found, rest)
    return Bill(
        board=board.name,
        tier=tier.id,
        prices=parts.date,
        items=items,
        low_eur=round(sum(it.low_eur for it in items), 2),
        high_eur=round(sum(it.high_eur for it in items), 2),
        sourced_percent=sourced(items),
        joints=_joints(used, found),
        modules=modules,
        boards=boards,
        boards_why=why,
        modules_alone=modules_alone,
        slots_alone=alone,
        draws_ma=budget(board, plan, LightSettings()).most_ma,
        supply_ma=plan.supply_ma if found["supply"] else 0,
        printed=prints.count,
        print_g=prints.grams,
        print_hours=prints.hours(parts.print.grams_an_hour),
        estimated=prints.estimated,
        why_none=prints.why_none,
        tools=tuple(_tool(it) for it in parts.tools if not it.needs or it.needs in needed),
        plays=say(felt(board)),
    )


def _suited(
    board: Board, plan: BuildEntry, parts: PartsFile, found: Mapping[str, float], file: Path
) -> tuple[PartEntry, ...]:
    """The parts that a board can have: those for its lights' type, the smallest supply that gives
    what the board file says."""
    lights = board.strip.type
    fitting = [it for it in parts.parts if it.fits in ("", lights)]
    supplies = [it for it in fitting if "supply" in it.count]
    enough = [it for it in supplies if (it.gives_ma or 0) >= plan.supply_ma]
    if found["supply"] and not enough:
        most = max((it.gives_ma or 0 for it in supplies), default=0)
        raise BadText("bill.no_supply", supply=plan.supply_ma, most=most, file=str(file))
    smallest = min(enough, key=lambda it: it.gives_ma or 0, default=None)
    suited = tuple(it for it in fitting if it not in supplies or it is smallest)
    for what in NEEDED:
        if found[what] and not any(what in it.count for it in suited):
            raise BadText(
                "bill.lacks", what=what, count=int(found[what]), lights=lights, file=str(file)
            )
    return suited


def _tool(tool: ToolEntry) -> Tool:
    low, high = tool.eur or (None, None)
    return Tool(translated(tool.name, "bill"), low, high)


# ------------------------------------------------------------------------------- joints by hand


def _joints(used: Iterable[PartEntry], found: Mapping[str, float]) -> int:
    return sum(joints_of(part, found) for part in used)


def _fitting(tier: Tiered, parts: PartsFile) -> list[tuple[ModuleEntry, list[Sensor]]]:
    """The circuit boards that a board can have, each with the sensors that are on it."""
    board, slots = tier.board, tier.plan.slot is not None
    fit = [it for it in parts.modules if (it.at != "seven") == slots and (slots or has_pads(board))]
    carried = [(it, _carried(board, it)) for it in fit]
    return [(it, on) for it, on in carried if on or (it.lights and board.pixels)]


def _undrawn(tier: Tiered, fit: Sequence[tuple[ModuleEntry, list[Sensor]]]) -> str:
    """Why one of those cannot be drawn; "" where all can."""
    try:
        for it, _ in fit:
            if _places(tier.board, it.at):
                laid_out(it.at, tier.board, tier.plan.ball_mm)
    except BadText as error:
        return str(error)
    return ""


def _modules(
    tier: Tiered,
    carried: Sequence[tuple[ModuleEntry, list[Sensor]]],
    used: Sequence[PartEntry],
    found: Mapping[str, float],
) -> tuple[Modules, StillByHand]:
    """What is on circuit boards of their own: sensors with all that is round them, their
    registers, and lights; the LEDs of their beams hang behind the lights' fuse. And the rest."""
    board = tier.board
    counts: dict[str, int] = {it.at: _places(board, it.at) for it, _ in carried}
    taken = {sensor.id for _, on in carried for sensor in on}
    inputs = chained_inputs(board, beside_kinds(counts)) if tier.plan.slot else {}
    rest = tuple(
        replace(it, input=inputs.get(it.id, it.input)) for it in board.sensors if it.id not in taken
    )
    registers = -(-sum(it.source == "pico" for it in rest) // INPUTS)
    by_hand = replace(board, sensors=rest)
    left = {**found, **sensed(by_hand, tier.plan), "register": registers}
    left |= {"fuse": fuses(by_hand, tier.plan)}
    left |= {what: found[what] for it, _ in carried for what in it.by_hand}
    fed = 0
    if any(it.lights for it, _ in carried):
        left["light"] = 0
        fed = FEED_JOINTS * len(fed_boards(tier, beside_kinds(counts)))
    left |= cabled(tier, by_hand, counts)
    far = far_beams(board)
    longer = far * sum(it.lengthened for it, on in carried if on)
    joints, stay = _joints(used, found), _joints(used, left) + longer + fed
    told = Modules(
        slots=counts.get("slot", 0),
        ramps=counts.get("ramp", 0),
        zones=counts.get("zone", 0),
        sevens=counts.get("seven", 0),
        taken=joints - stay,
        left=stay,
        far=far,
        lengthened=longer,
        fed=fed,
        plugs=sum(counts[it.at] * it.plugs * it.pins for it, _ in carried),
        registers=registers + sum(counts[it.at] * _registers(board, it, on) for it, on in carried),
    )
    return told, StillByHand(counts, by_hand, left, stay)


def _carried(board: Board, module: ModuleEntry) -> list[Sensor]:
    """The sensors that are on boards of a kind; for the sense of a rail alone there is none."""
    on = [it for it in board.sensors if it.kind in module.sensors and it.source == "pico"]
    return on if any(it.kind != "rail" for it in on) else []


def _places(board: Board, at: str) -> int:
    """How many boards there are: of slots, of cells with a ramp, of end zones, of seven cells."""
    if at == "seven":
        return len(cover(board))
    ramps = len({ramp.cell for ramp in board.ramps})
    return {"slot": len(board.cells), "ramp": ramps, "zone": len(board.zones)}[at]


def _registers(board: Board, module: ModuleEntry, on: Iterable[Sensor]) -> int:
    """What the fullest of them needs: a seam belongs to its first slot, a throat to its zone."""
    if module.at == "seven":
        return 1
    zones = {zone.id: zone.cell for zone in board.zones}
    few = Counter(zones.get(it.place, it.place.partition("-")[0]) for it in on)
    return -(-max(few.values(), default=0) // INPUTS)


# ------------------------------------------------------------------------------------- in words


def told(found: Bill) -> Iterator[Message]:
    """A bill as sentences."""
    yield message(
        "bill.tier",
        tier=found.tier,
        board=found.board,
        low=eur(found.low_eur),
        high=eur(found.high_eur),
        joints=found.joints,
        sourced=found.sourced_percent,
        date=found.prices,
    )
    yield from (_line(item) for item in found.items)
    yield message("bill.not_in")
    if found.supply_ma:
        yield message("bill.draws", supply=found.supply_ma, draws=found.draws_ma)
    yield from _told_prints(found)
    if found.tools:
        yield message("bill.tools", tools="; ".join(map(_named, found.tools)))
    if found.modules is not None:
        yield from told_modules(found.modules, found.joints)
        yield from told_built(found.boards, found.boards_why)
        if found.slots_alone:
            yield message("bill.slots_alone")
            yield from told_built(found.slots_alone, "")
    elif found.boards_why:
        yield message("bill.boards_none", why=found.boards_why)
    yield message("bill.plays", felt=found.plays)


def _told_prints(found: Bill) -> Iterator[Message]:
    if found.printed:
        low, high = found.print_hours
        count, grams = found.printed, found.print_g
        yield message("bill.print", count=count, grams=grams, low=low, high=high)
    if found.estimated:
        names = ", ".join(found.estimated)
        yield message("bill.estimated", count=len(found.estimated), names=names)
    if found.why_none:
        yield message("bill.why_none", why=found.why_none)


def _line(item: BillLine) -> Message:
    name = ", ".join(it for it in (item.name, item.detail) if it)
    unit = f"{spelt(item.count)} {item.unit or '×'}"
    more = say(message("bill.joints_of", joints=item.joints)) if item.joints else ""
    more += f"; {', '.join(item.numbers)}" if item.numbers else ""
    more += say(message("bill.instead", instead="; ".join(item.instead))) if item.instead else ""
    more += "" if item.sources else say(message("bill.estimate"))
    low, high = eur(item.low_eur), eur(item.high_eur)
    return message("bill.line", count=unit, name=name, low=low, high=high, more=more)


def _named(tool: Tool) -> str:
    if tool.low_eur is None or tool.high_eur is None:
        return tool.name
    low, high = eur(tool.low_eur), eur(tool.high_eur)
    return say(message("bill.tool", name=tool.name, low=low, high=high))


def told_modules(found: Modules, joints: int) -> Iterator[Message]:
    boards = [message("bill.slots", count=found.slots)] if found.slots else []
    boards += [message("bill.ramps", count=found.ramps)] if found.ramps else []
    boards += [message("bill.zones", count=found.zones)] if found.zones else []
    boards += [message("bill.sevens", count=found.sevens)] if found.sevens else []
    yield message(
        "bill.modules",
        boards=", ".join(map(say, boards)),
        joints=joints,
        taken=found.taken,
        left=found.left,
        plugs=found.plugs,
        all=found.left + found.plugs,
    )
    if found.lengthened:
        yield message("bill.lengthened", joints=found.lengthened, beams=found.far)
    if found.registers > found.most_registers:
        most = found.most_registers
        yield message("bill.too_long", registers=found.registers, most=most)


def _source(it: FoundPrice) -> str:
    """In short: what, its price (of so many), from how many on, tax, day, place."""
    sold = f"{it.price:g} {it.currency}" + (f"/{it.pack:g}" if it.pack != 1 else "")
    return ", ".join((it.what, sold, f"{it.at:g}+", it.tax, it.date, it.where))


def as_csv(bills: Iterable[Bill]) -> str:
    """Every line of some bills, for a spreadsheet: of each tier by hand, then by each service of a
    board house as a tier of its own, at last with circuit boards for slots alone."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS.split())
    for found in bills:
        writer.writerows(_row(found.tier, it) for it in found.items)
        for one in found.boards:
            writer.writerows(_row(f"{found.tier}+{one.service}", it) for it in one.items)
        for one in found.slots_alone:
            writer.writerows(_row(f"{found.tier}+slots+{one.service}", it) for it in one.items)
    return text.getvalue()


def _row(tier: str, it: BillLine) -> tuple[str | float, ...]:
    some = (it.part, it.name, f"{it.count:g}", it.unit, it.detail)
    prices = (it.low_eur, it.high_eur, it.joints)
    lists = (it.numbers, it.instead, map(_source, it.sources))
    return tier, *some, *prices, *(" / ".join(each) for each in lists)
