"""All that is written of a board's circuit boards, and what KiCad and ngspice find in them."""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from shutil import which

from msgspec import Struct
from msgspec.structs import replace

from hexboard import files
from hexboard.board import DARK, Board, BoardFile, Cell
from hexboard.board.board import LAST_INPUT
from hexboard.calibration.boardfile import rewired
from hexboard.calibration.boardfile import text as as_text
from hexboard.commands.build.module import chain, kicad, note
from hexboard.commands.build.module.beside import beside
from hexboard.commands.build.module.cabling import chain_cables
from hexboard.commands.build.module.circuit import EDGES, FALL, CircuitPart, mistakes, netlist
from hexboard.commands.build.module.cover import CellFlower, cover, touch_inputs, whole
from hexboard.commands.build.module.flower import (
    CHEAP_MM,
    flower_chain,
    has_pads,
)
from hexboard.commands.build.module.fuse import lit, one_fuse
from hexboard.commands.build.module.kinds import laid_out
from hexboard.commands.build.module.placing import ModulePlan
from hexboard.commands.build.module.routing import Copper, routed
from hexboard.commands.build.module.wires import (
    BESIDE,
    by_hand,
    chain_row,
    chained_inputs,
    hand_hops_mm,
)
from hexboard.commands.build.sheets import hand_sheets
from hexboard.commands.build.tiers import Tiered
from hexboard.words import Message, message
from hexboard.words.errors import BadText
from hexboard.words.numbers import decimal

LEAST_MARGIN = 2.0
"""Times of what is needed."""
LEAST_VOLTS = 4.5
"""At the last light, as limited."""


class DrawnBoard(Struct, frozen=True):
    """The figures of one kind of circuit board; None where the program for them is not here."""

    name: str
    count: int
    """How many of them the chain has."""
    whole: int
    """How many have all their cells on the board."""
    size_mm: tuple[float, float]
    hole_mm: float
    parts: int
    nets: int
    electrical: tuple[str, ...]
    """What the electrical check found wrong."""
    open: tuple[str, ...]
    """Nets that no track could be found for."""
    kicad: kicad.KicadReport | None


class ModuleFound(Struct, frozen=True):
    """The figures of a board's circuit boards and of their chain."""

    board: str
    drawn: tuple[DrawnBoard, ...]
    times: chain.ChainTimes | None
    volts: chain.ChainVolts | None
    registers: int
    most_registers: int
    by_hand: tuple[str, ...]
    """The sensors that are on none of them."""
    limit_ma: int | None
    """What the lights may draw behind the fuse that feeds beams too; None without beams."""


class _Order(Struct, frozen=True):
    """One kind of circuit board, as it is to be drawn."""

    name: str
    title: str
    parts: tuple[CircuitPart, ...]
    layout: ModulePlan
    count: int
    whole: int


class _Chained(Struct, frozen=True):
    """All kinds that a board has, how they hang in a row, and what else is told of them."""

    orders: tuple[_Order, ...]
    row: tuple[str, ...]
    """The kind of each circuit board, one after the other."""
    chain: chain.ModuleChain
    by_hand: Board
    """With the sensors that are on none."""
    texts: dict[str, str]


def write(
    tier: Tiered, folder: Path, under_mm: float, kinds: Collection[str] = BESIDE
) -> ModuleFound:
    """Write a board's circuit boards into a folder, check, plot and simulate them: beside those of
    slots the `kinds` alone. `under_mm`: how far below a slot's circuit board its lowest beam is.
    Raises `BadText` for a board that has none."""
    tier = one_fuse(tier)
    board, plan = tier.board, tier.plan
    found = _slots(tier, under_mm, kinds) if plan.slot else _flowers(tier)
    folder.mkdir(parents=True, exist_ok=True)
    coppers = [routed(it.layout) for it in found.orders]
    by_kind = {it.name: copper for it, copper in zip(found.orders, coppers, strict=True)}
    row = [by_kind[kind] for kind in found.row]
    hertz = chain.clock_hz(files.shipped("firmware", "pins.py").read_text("utf-8"))
    texts = found.texts | {
        "signals.cir": chain.signal_deck(found.chain, plan, row, hertz),
        "supply.cir": chain.supply_deck(found.chain, board, plan),
    }
    (folder / "plots").mkdir(exist_ok=True)
    for file, text in texts.items():
        files.whole(folder / file, text.encode())
    drawn = tuple(_drawn(it, at, folder) for it, at in zip(found.orders, coppers, strict=True))
    times = volts = None
    if which("ngspice"):
        told = chain.simulated(folder / "signals.cir")
        times = chain.times(told, len(row), found.chain.registers, hertz)
        told = chain.simulated(folder / "supply.cir")
        volts = chain.volts(told, found.chain, board, plan)
    most = (LAST_INPUT + 1) // 8
    limit = lit(board).limit_ma if plan.beams_on else None
    loose = tuple(it.id for it in found.by_hand.sensors)
    return ModuleFound(board.name, drawn, times, volts, found.chain.registers, most, loose, limit)


def _slots(tier: Tiered, under_mm: float, kinds: Collection[str]) -> _Chained:
    """A circuit board for each slot, and those of end zones and ramps among `kinds`."""
    board, count = tier.board, len(tier.board.cells)
    title = f"{board.name}: one of {count} slots"
    order = _Order("slot", title, *laid_out("slot", board, tier.plan.ball_mm), count, count)
    row, hung = chain_row(board, kinds), chain.slot_chain(board, kinds)
    each = tuple("slot" if isinstance(it, Cell) else it.kind for it in row)
    texts = slot_texts(tier, kinds, hung)
    if any(it.ref == f"E{FALL}" and it.fitted for it in order.parts):
        texts[f"plots/{note.NAME}"] = note.beam_note(order.layout, under_mm)
    return _Chained((order, *_beside(tier, kinds)), each, hung, by_hand(board, kinds), texts)


def slot_texts(tier: Tiered, kinds: Collection[str], hung: chain.ModuleChain) -> dict[str, str]:
    """Inputs, the board file to play with, cables, and the wires of what is soldered by hand."""
    board, inputs, row = tier.board, chained_inputs(tier.board, kinds), chain_row(tier.board, kinds)
    spots = [(it.id, edge) for it in row if isinstance(it, Cell) for edge in EDGES]
    entry = rewired(tier.entry, board, inputs, spots)
    names = [it.id if isinstance(it, Cell) else f"{it.kind} {it.place}" for it in row]
    name, words = ("boards", "--module") if kinds else ("slots", "--module --slots")
    loose, hop = by_hand(board, kinds), sum(hand_hops_mm(board, kinds)[:1])
    fed = chain.feeds(hung, tier.plan)
    return {
        "inputs.csv": _inputs(inputs),
        f"{board.name}-{name}.toml": _played(tier, entry, name, hung.registers, words),
        "cables.yml": chain_cables(board, loose, tier.plan, names, fed, hop),
        **hand_sheets(loose, hung.registers),
    }


def _beside(tier: Tiered, kinds: Collection[str]) -> Iterator[_Order]:
    """Those of end zones and ramps, in the order of the chain."""
    board = tier.board
    found = [it for it in beside(board) if it.kind in kinds]
    for kind in dict.fromkeys(it.kind for it in found):
        count = sum(it.kind == kind for it in found)
        title = f"{board.name}: one of {count} {kind}s"
        yield _Order(kind, title, *laid_out(kind, board, tier.plan.ball_mm), count, count)


def _flowers(tier: Tiered) -> _Chained:
    """A circuit board for seven cells each. Raises `BadText` for a board that has no pads."""
    board = tier.board
    if not has_pads(board):
        raise BadText("module.none", board=board.name)
    way = cover(board)
    title = f"{board.name}: one of {len(way)}, seven cells each"
    drawn = laid_out("seven", board, tier.plan.ball_mm)
    order = _Order("seven", title, *drawn, len(way), whole(way))
    loose, hung = replace(board, sensors=()), flower_chain(board, way)
    return _Chained((order,), ("seven",) * len(way), hung, loose, flower_texts(tier))


def flower_texts(tier: Tiered) -> dict[str, str]:
    """Inputs, lights, the board file to play with, and cables."""
    board, way = tier.board, cover(tier.board)
    inputs = touch_inputs(way)
    spots = [(cell or DARK, 0) for flower in way for cell in flower.cells]
    entry = rewired(tier.entry, board, inputs, spots)
    names = [str(k + 1) for k in range(len(way))]
    fed = chain.feeds(flower_chain(board, way), tier.plan)
    return {
        "inputs.csv": _inputs(inputs),
        "seven-lights.csv": _lights(way),
        f"{board.name}-boards.toml": _played(tier, entry, "boards", len(way), "--module"),
        "cables.yml": chain_cables(board, replace(board, sensors=()), tier.plan, names, fed),
    }


def _drawn(it: _Order, copper: Copper, folder: Path) -> DrawnBoard:
    """Write one kind of circuit board, and have it checked."""
    pcb = folder / f"{it.name}.kicad_pcb"
    texts = {
        f"{it.name}.net": netlist(it.parts, it.name),
        pcb.name: kicad.board_text(it.layout, copper, it.title),
        f"{it.name}.kicad_pro": kicad.project(it.name),
        f"{it.name}-parts.csv": _bill(it.parts),
    }
    for file, text in texts.items():
        files.whole(folder / file, text.encode())
    xs, ys = zip(*it.layout.outline, strict=True)
    return DrawnBoard(
        name=it.name,
        count=it.count,
        whole=it.whole,
        size_mm=(round(max(xs) - min(xs), 2), round(max(ys) - min(ys), 2)),
        hole_mm=2 * it.layout.hole,
        parts=sum(part.fitted for part in it.parts),
        nets=len({pin.net for part in it.parts for pin in part.pins if pin.net}),
        electrical=tuple(mistakes(it.parts)),
        open=copper.open,
        kicad=kicad.plotted(pcb) if kicad.has_kicad() else None,
    )


def _bill(parts: tuple[CircuitPart, ...]) -> str:
    """What is on one board, by value: as board houses take it."""
    groups: dict[tuple[str, str], list[str]] = {}
    for it in (part for part in parts if part.fitted):
        groups.setdefault((it.value, it.body), []).append(it.ref)
    rows = (
        f'{value},{body},{len(refs)},"{" ".join(refs)}"' for (value, body), refs in groups.items()
    )
    return "\n".join(["value,body,count,references", *rows, ""])


def _inputs(inputs: Mapping[str, int]) -> str:
    """The input of each sensor in the chain of circuit boards."""
    found = sorted(inputs.items(), key=lambda it: it[1])
    rows = ((sensor, it, it // 8, "ABCDEFGH"[it % 8]) for sensor, it in found)
    return _sheet(("sensor", "input", "register", "name"), rows)


def _lights(way: tuple[CellFlower, ...]) -> str:
    """Of each circuit board of seven its lights along the strip, and the cell of each: none for one
    beyond the rim, which stays dark."""
    rows = (
        (number, k, len(it.cells) * (number - 1) + k, cell)
        for number, it in enumerate(way, 1)
        for k, cell in enumerate(it.cells)
    )
    return _sheet(("board", "place", "light", "cell"), rows)


def _sheet(head: tuple[str, ...], rows: Iterable[tuple[str | int, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def _played(tier: Tiered, entry: BoardFile, name: str, registers: int, words: str) -> str:
    """The board file to play with: inputs and lights as the chain has them."""
    build = replace(tier.plan, registers=registers)
    entry = replace(entry, name=f"{tier.board.name}-{name}", build=build)
    return as_text(entry, f"hexboard build --tier {tier.id} {words}")


def told(found: ModuleFound, folder: Path) -> Iterator[Message]:
    """The figures as sentences."""
    for it in found.drawn:
        yield from _told(it, folder)
    if all(it.kicad is None for it in found.drawn):
        yield message("module.no_kicad")
    if (at := found.times) is None or (volts := found.volts) is None:
        yield message("module.no_ngspice")
    else:
        yield _timed(at)
        if not at.clean:
            yield message("module.not_clean")
        fed = ", ".join(str(k + 1) for k in volts.feeds)
        limited, full = decimal(volts.limited, 2), decimal(volts.full_white, 2)
        yield message("module.volts", limited=limited, full=full, feeds=fed)
    if found.by_hand:
        hung = ", ".join(found.by_hand)
        yield message("module.by_hand", count=len(found.by_hand), sensors=hung, folder=str(folder))
    if found.limit_ma is not None:
        yield message("module.one_fuse", limit=found.limit_ma)
    if found.registers > found.most_registers:
        yield message("bill.too_long", registers=found.registers, most=found.most_registers)


def _told(it: DrawnBoard, folder: Path) -> Iterator[Message]:
    """One kind of circuit board."""
    wide, high = (decimal(length) for length in it.size_mm)
    hole, where = decimal(it.hole_mm), str(folder)
    if it.name == "slot":
        yield message("module.wrote", wide=wide, high=high, hole=hole, parts=it.parts, folder=where)
    elif it.name in ("ramp", "zone"):
        yield message(
            "module.ramp" if it.name == "ramp" else "module.zone",
            wide=wide,
            high=high,
            count=it.count,
            parts=it.parts,
            folder=where,
        )
    else:
        yield message(
            "module.seven",
            wide=wide,
            high=high,
            count=it.count,
            whole=it.whole,
            parts=it.parts,
            folder=where,
        )
    if max(it.size_mm) > CHEAP_MM:
        yield message("module.dear", wide=wide, high=high, cheap=decimal(CHEAP_MM))
    yield message("module.electrical", errors=len(it.electrical), nets=it.nets)
    if it.open:
        yield message("module.open", nets=", ".join(it.open))
    if (seen := it.kicad) is not None:
        yield message("module.rules", errors=seen.errors, open=seen.unconnected)


def _timed(at: chain.ChainTimes) -> Message:
    return message(
        "module.times",
        registers=at.registers,
        clock=decimal(at.clock_mhz),
        setup=decimal(at.setup),
        hold=decimal(at.hold),
        read=decimal(at.read),
        pulse=decimal(at.pulse),
        latch=decimal(at.latch),
        rise=decimal(max(at.rise_ns, at.fall_ns)),
        edge=decimal(at.edge),
    )


def sound(found: ModuleFound) -> None:
    """Raises `BadText` for a circuit board that nobody should order."""
    if wrong := sum(map(_wrong, found.drawn)):
        raise BadText("module.unsound", count=wrong)
    if not _ample(found):
        raise BadText("module.narrow", least=decimal(LEAST_MARGIN), volts=decimal(LEAST_VOLTS))


def _wrong(it: DrawnBoard) -> int:
    """How much is wrong with one kind of circuit board."""
    seen = it.kicad
    by_kicad = 0 if seen is None else seen.errors + seen.unconnected
    return len(it.electrical) + len(it.open) + by_kicad


def _ample(found: ModuleFound) -> bool:
    """Whether all that was simulated is far enough from where it fails."""
    if (at := found.times) is None or (volts := found.volts) is None:
        return True
    margins = at.setup, at.hold, at.edge, at.pulse, at.read, at.latch
    return at.clean and min(margins) >= LEAST_MARGIN and volts.limited >= LEAST_VOLTS
