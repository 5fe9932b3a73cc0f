"""All that is written of a slot's circuit board, and what KiCad and ngspice find in it."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which

from msgspec import Struct

from hexboard.board import Board, BuildEntry
from hexboard.board.board import LAST_INPUT
from hexboard.commands.build.module import chain, kicad
from hexboard.commands.build.module.circuit import CircuitPart, circuit, mistakes, netlist
from hexboard.commands.build.module.placing import placed
from hexboard.commands.build.module.routing import routed
from hexboard.commands.build.module.wires import chained_inputs, registers
from hexboard.files import shipped
from hexboard.words import Message, message
from hexboard.words.errors import BadText

LEAST_MARGIN = 2.0
"""Times of what is needed."""
LEAST_VOLTS = 4.5
"""At the last light, as limited."""


class ModuleFound(Struct, frozen=True):
    """The figures of a slot's circuit board; None where the program for them is not here."""

    board: str
    size_mm: tuple[float, float]
    hole_mm: float
    parts: int
    nets: int
    electrical: tuple[str, ...]
    """What the electrical check found wrong."""
    open: tuple[str, ...]
    """Nets that no track could be found for."""
    kicad: kicad.KicadReport | None
    times: chain.ChainTimes | None
    volts: chain.ChainVolts | None
    registers: int
    most_registers: int


def write(board: Board, plan: BuildEntry, folder: Path) -> ModuleFound:
    """Write a slot's circuit board into a folder, check, plot and simulate it."""
    parts = circuit()
    layout = placed(board, parts, plan.ball_mm)
    copper = routed(layout)
    name, title = "slot", f"{board.name}: one of {len(board.cells)} slots"
    pcb = folder / f"{name}.kicad_pcb"
    hertz = chain.clock_hz(shipped("firmware", "pins.py").read_text("utf-8"))
    count = registers(board)
    texts = {
        f"{name}.net": netlist(parts, name),
        pcb.name: kicad.board_text(layout, copper, title),
        f"{name}.kicad_pro": kicad.project(name),
        f"{name}-parts.csv": _bill(parts),
        "inputs.csv": _inputs(board),
        "signals.cir": chain.signal_deck(board, plan, copper, count, hertz),
        "supply.cir": chain.supply_deck(board, plan),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        (folder / file).write_text(text, "utf-8")
    times = volts = None
    if which("ngspice"):
        told = chain.simulated(folder / "signals.cir")
        times = chain.times(told, len(board.cells), count, hertz)
        volts = chain.volts(chain.simulated(folder / "supply.cir"), board, plan)
    xs, ys = zip(*layout.outline, strict=True)
    return ModuleFound(
        board=board.name,
        size_mm=(round(max(xs) - min(xs), 2), round(max(ys) - min(ys), 2)),
        hole_mm=2 * layout.hole,
        parts=len(parts),
        nets=len({pin.net for part in parts for pin in part.pins if pin.net}),
        electrical=tuple(mistakes(parts)),
        open=copper.open,
        kicad=kicad.plotted(pcb) if kicad.has_kicad() else None,
        times=times,
        volts=volts,
        registers=count,
        most_registers=(LAST_INPUT + 1) // 8,
    )


def _bill(parts: tuple[CircuitPart, ...]) -> str:
    """What is on one board, by value: as board houses take it."""
    groups: dict[tuple[str, str], list[str]] = {}
    for it in parts:
        groups.setdefault((it.value, it.body), []).append(it.ref)
    rows = (
        f'{value},{body},{len(refs)},"{" ".join(refs)}"' for (value, body), refs in groups.items()
    )
    return "\n".join(["value,body,count,references", *rows, ""])


def _inputs(board: Board) -> str:
    """The input of each sensor in the chain of circuit boards."""
    found = sorted(chained_inputs(board).items(), key=lambda it: it[1])
    rows = (f"{sensor},{number},{number // 8},{'ABCDEFGH'[number % 8]}" for sensor, number in found)
    return "\n".join(["sensor,input,register,name", *rows, ""])


def told(found: ModuleFound, folder: Path) -> Iterator[Message]:
    """The figures as sentences."""
    wide, high = (f"{length:g}" for length in found.size_mm)
    hole, where = f"{found.hole_mm:g}", str(folder)
    yield message("module.wrote", wide=wide, high=high, hole=hole, parts=found.parts, folder=where)
    yield message("module.electrical", errors=len(found.electrical), nets=found.nets)
    if found.open:
        yield message("module.open", nets=", ".join(found.open))
    if (seen := found.kicad) is None:
        yield message("module.no_kicad")
    else:
        yield message("module.rules", errors=seen.errors, open=seen.unconnected)
    if (at := found.times) is None or (volts := found.volts) is None:
        yield message("module.no_ngspice")
    else:
        yield message(
            "module.times",
            registers=at.registers,
            clock=f"{at.clock_mhz:g}",
            setup=f"{at.setup:g}",
            hold=f"{at.hold:g}",
            read=f"{at.read:g}",
            pulse=f"{at.pulse:g}",
            latch=f"{at.latch:g}",
            rise=f"{max(at.rise_ns, at.fall_ns):g}",
            edge=f"{at.edge:g}",
        )
        if not at.clean:
            yield message("module.not_clean")
        fed = ", ".join(str(k + 1) for k in volts.feeds)
        limited, full = f"{volts.limited:.2f}", f"{volts.full_white:.2f}"
        yield message("module.volts", limited=limited, full=full, feeds=fed)
    if found.registers > found.most_registers:
        yield message("bill.too_long", registers=found.registers, most=found.most_registers)


def sound(found: ModuleFound) -> None:
    """Raises `BadText` for a circuit board that nobody should order."""
    wrong = len(found.electrical) + len(found.open)
    if found.kicad is not None:
        wrong += found.kicad.errors + found.kicad.unconnected
    if wrong:
        raise BadText("module.unsound", count=wrong)
    if not _ample(found):
        raise BadText("module.narrow", least=f"{LEAST_MARGIN:g}", volts=f"{LEAST_VOLTS:g}")


def _ample(found: ModuleFound) -> bool:
    """Whether all that was simulated is far enough from where it fails."""
    if (at := found.times) is None or (volts := found.volts) is None:
        return True
    margins = at.setup, at.hold, at.edge, at.pulse, at.read, at.latch
    return at.clean and min(margins) >= LEAST_MARGIN and volts.limited >= LEAST_VOLTS
