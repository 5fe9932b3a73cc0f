"""`hexboard build`: what a board is built from, written from its one file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FOLDER, JSON, looks, tell
from hexboard.commands.spoken import wrong
from hexboard.words import message, say
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexboard.board import Board, BuildEntry
    from hexboard.commands.build.bill import Bill
    from hexboard.commands.build.cad.pieces import PieceKinds
    from hexboard.commands.build.tiers import Tiered


@click.command()
@click.argument("board")
@click.option("-o", "--output", type=FOLDER, help="Where to. Default: BOARD-build here.")
@click.option(
    "--tier",
    help="Only this tier of it, with its board file: what its [build] section calls a board "
    "built in part.",
)
@click.option(
    "--power",
    is_flag=True,
    help="Only what it draws: rails, scenes, wires, heat, a power bank; with -o a plot too.",
)
@click.option(
    "--bill",
    is_flag=True,
    help="Only what it is made of: parts, prices, tools, joints by hand, tier by tier.",
)
@click.option(
    "--module",
    is_flag=True,
    help="Only the circuit boards, of a slot or of seven cells with touch pads: netlist, board, "
    "parts; checked and plotted where KiCad is here, simulated where ngspice is.",
)
@click.option(
    "--slots",
    is_flag=True,
    help="With --module: circuit boards of slots alone; what is on none of them is wired by hand.",
)
@click.option(
    "--cad",
    is_flag=True,
    help="Only the parts that are printed, as STEP and STL (pip install 'hexboard[cad]').",
)
@click.option("--csv", "as_csv", is_flag=True, help="The bill as CSV.")
@JSON
@click.pass_obj
def build(
    home: Path,
    board: str,
    output: Path | None,
    tier: str | None,
    power: bool,
    bill: bool,
    module: bool,
    slots: bool,
    cad: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Write what a BOARD is built from: its geometry, the wiring of sensors and lights, the Pico's
    pins, and drawings of it and of each slot at true scale. All of it follows from the [build]
    section of its file (hardware/building.md)."""
    from hexboard.board import find
    from hexboard.commands.build.tiers import tiered, tiers

    only = {"--power": power, "--bill": bill, "--module": module, "--cad": cad}
    _suit(output, tuple(name for name, on in only.items() if on), as_csv, as_json)
    if slots and not module:
        raise wrong("--slots goes with --module.")
    path = find(board, [home / "boards"])
    found = tiered(path, tier or "")
    if slots and found.plan.slot is None:
        raise wrong("--slots: this board has no slots.")
    if power:
        _power(home, found.board, found.plan, output, as_json)
        return
    folder = output or Path(f"{found.board.name}-build")
    if module:
        name = "module-slots" if slots else "module"
        _module(home, found, output or folder / name, slots, as_json)
        return
    if cad:
        _cad(home, found, output or folder / "cad", as_json)
        return
    bills = _bills(home, [found] if tier else tiers(path))
    if bill:
        _tell(bills, as_csv, as_json)
    else:
        _write(found, bills, folder, bool(tier))


def _suit(output: Path | None, only: tuple[str, ...], as_csv: bool, as_json: bool) -> None:
    """Refuse options that do not go together."""
    if len(only) > 1:
        raise wrong("--power, --bill, --module and --cad exclude one another.")
    if as_json and not only:
        raise wrong("--json goes with --power, --bill, --module or --cad.")
    if as_csv and only != ("--bill",):
        raise wrong("--csv goes with --bill.")
    if as_csv and as_json:
        raise wrong("--csv and --json exclude each other.")
    if only == ("--bill",) and output:
        raise wrong(
            "-o does not go with --bill: `hexboard build BOARD -o FOLDER` writes parts.csv."
        )


def _bills(home: Path, found: "Iterable[Tiered]") -> "list[Bill]":
    """The bill of each tier."""
    from hexboard.commands.build.bill import bill
    from hexboard.commands.build.parts import chosen, load_parts

    file = chosen(home)
    parts = load_parts(file)
    return [bill(it, parts, file, game_pieces(home, it.board.game)) for it in found]


def _tell(bills: "list[Bill]", as_csv: bool, as_json: bool) -> None:
    import msgspec

    from hexboard.commands.build.bill import as_csv as sheet
    from hexboard.commands.build.bill import told

    if as_csv:
        click.echo(sheet(bills), nl=False)
        return
    lines = "\n\n".join("\n".join(map(say, told(each))) for each in bills)
    tell(as_json, {"tiers": msgspec.to_builtins(bills)}, lines)


def _write(tier: "Tiered", bills: "list[Bill]", folder: Path, in_part: bool) -> None:
    from hexboard.calibration.boardfile import text as as_text
    from hexboard.commands.build.bill import as_csv
    from hexboard.commands.build.measures import SLACK, buffers, chain_mm
    from hexboard.commands.build.sheets import sheets
    from hexboard.commands.build.tiers import plays
    from hexboard.files import whole

    files = {"parts.csv": as_csv(bills), **sheets(tier.board, tier.plan)}
    if in_part:
        name = tier.board.name
        files[f"{name}.toml"] = as_text(tier.entry, f"hexboard build --tier {tier.id}")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        whole(path, text.encode())
        if path.parent == folder:
            click.echo(say(message("file.wrote", file=str(path))))
    count = len(tier.board.cells)
    click.echo(say(message("build.slots", count=count, folder=str(folder / "slots"))))
    if far := chain_mm(tier.board, tier.plan):
        length = decimal(SLACK * max(far.values()) / 1000, 1)
        click.echo(say(message("build.chain_long", length=length)))
    if driven := buffers(tier.board, tier.plan):
        named = ", ".join(map(str, driven))
        click.echo(say(message("build.driven", count=len(driven), registers=named)))
    click.echo(say(plays(tier.board, tier.id)))


def _power(
    home: Path, board: "Board", plan: "BuildEntry", folder: Path | None, as_json: bool
) -> None:
    import msgspec

    from hexboard import settings
    from hexboard.commands.build.plot import plot
    from hexboard.commands.build.power import budget, told
    from hexboard.files import whole

    found = budget(board, plan, settings.load(home / "settings.toml").lights)
    path = folder and folder / "power.svg"
    if path:  # first: if it cannot be written, that alone is told
        path.parent.mkdir(parents=True, exist_ok=True)
        whole(path, plot(found).encode())
    drew = [message("file.drew", file=str(path))] if path else []
    figures = msgspec.to_builtins(found) | {"plot": path and str(path)}
    tell(as_json, figures, *map(say, (*told(found), *drew)))


def _module(home: Path, tier: "Tiered", folder: Path, slots: bool, as_json: bool) -> None:
    import msgspec

    from hexboard.commands.build.bill import told_modules
    from hexboard.commands.build.cad.lengths import beam_under
    from hexboard.commands.build.module.wires import BESIDE
    from hexboard.commands.build.module.written import sound, told, write

    under = beam_under(tier.board, tier.plan)
    found = write(tier, folder, under, () if slots else BESIDE)
    (counted,) = _bills(home, [tier])
    modules = (slots and counted.modules_alone) or counted.modules
    joints = [*told_modules(modules, counted.joints)] if modules else []
    figures = msgspec.to_builtins(found) | {"joints": msgspec.to_builtins(modules)}
    tell(as_json, figures, *map(say, (*told(found, folder), *joints)))
    sound(found)


def _cad(home: Path, tier: "Tiered", folder: Path, as_json: bool) -> None:
    import msgspec
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from hexboard.commands.build.cad.written import told, write
    from hexboard.commands.build.parts import chosen, load_parts

    pieces, rate = game_pieces(home, tier.board.game), load_parts(chosen(home)).print.grams_an_hour
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task("")
        found = write(
            tier.board,
            tier.plan,
            pieces,
            rate,
            folder,
            lambda name: bar.update(task, description=name),
        )
    tell(as_json, msgspec.to_builtins(found), *map(say, told(found, folder)))


def game_pieces(home: Path, game: str) -> "PieceKinds":
    """What a board's game is played with, as it says itself."""
    from hexboard.commands.build.cad.pieces import PieceKinds
    from hexboard.game import registry

    if not game:
        return PieceKinds()
    labels = [it(home) for it in registry.find(game).labels.values()]
    colours = {it for look in looks(game) for stack in look.stacks for it in stack}
    return PieceKinds(
        blanks=tuple(blank for it in labels for blank in it.blanks),
        spare_tiles=sum(it.spare_tiles for it in labels),
        balls=sum(it.balls for it in labels),
        colours=len(colours),
        units=tuple(unit for it in labels for unit in it.units),
    )
