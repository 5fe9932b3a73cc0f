"""`hexboard tournament`: rounds, results and places of a hall's tournament, in one file."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FILE, JSON, tell
from hexboard.commands.hub.whereabouts import hall_of
from hexboard.commands.spoken import wrong
from hexboard.words import message, say
from hexboard.words.errors import BadText, HexboardError
from hexboard.words.numbers import spelt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hexboard.record.trf import Trf
    from hexboard.words import Message, Value

HALL = click.option(
    "--hall",
    "nats",
    metavar="NATS",
    help="The hall; else the one in the settings, or on this computer.",
)
COLUMNS = (
    "tournament.place",
    "tournament.who",
    "tournament.points",
    "tournament.buchholz",
    "tournament.sonneborn",
)
NAMED = click.argument("file", type=FILE)


@click.group()
def tournament() -> None:
    """Pair people, take results and show who leads: a tournament in FILE, which chess programs read
    as well (FIDE's TRF).

    `hexboard hub --tournament FILE` shows it on the wall, and takes results from the boards.
    """


@tournament.command()
@NAMED
@click.argument("names", nargs=-1, required=True)
@click.option("--name", default="", help="What it is called; else as the file.")
@click.option(
    "--rounds",
    type=click.IntRange(1, 99),
    help="So many rounds; else as many as give one winner.",
)
@click.option("--round-robin", "robin", is_flag=True, help="Everybody meets everybody.")
@click.option("--game", default="", help="The game that is played; else any.")
@click.option(
    "--board",
    "boards",
    multiple=True,
    metavar="NAME",
    help="A board of the hall to play on; may be repeated.",
)
@JSON
def new(
    file: Path,
    names: tuple[str, ...],
    name: str,
    rounds: int | None,
    robin: bool,
    game: str,
    boards: tuple[str, ...],
    as_json: bool,
) -> None:
    """Begin a tournament of NAMES, the strongest first.

    Each round brings together who has equal points, and nobody twice (FIDE's Dutch system).
    """
    from hexboard.daemon.hall.desk import changing
    from hexboard.daemon.hall.tournament import begun, text
    from hexboard.game import registry
    from hexboard.record.trf import HallOf, write_trf

    if robin and rounds is not None:
        raise wrong("--round-robin has as many rounds as it takes: leave out --rounds.")
    if game:
        registry.find(game)
    for board in boards:
        _board(board, boards)
    day = time.strftime("%Y/%m/%d")
    hall = HallOf(game, boards)
    trf = begun(name or file.stem, [it.strip() for it in names], rounds, robin, hall, day)
    with changing(file):
        if file.exists():
            raise BadText("tournament.exists", file=str(file))
        write_trf(file, text(trf))
    said = message("tournament.begun", file=str(file), count=len(names), rounds=trf.rounds)
    _tell(trf, as_json, say(said))


@tournament.command()
@NAMED
@HALL
@JSON
@click.pass_obj
def pair(home: Path, file: Path, nats: str | None, as_json: bool) -> None:
    """Pair the next round, and put it on the boards of the hall that say something now."""
    from hexboard.daemon.hall.marks import heard, marks
    from hexboard.daemon.hall.tournament import next_round, pairings
    from hexboard.record.trf import read_trf

    told: list[str] = []
    known, silent = {}, list[str]()
    if boards := read_trf(file).hall.boards:
        try:
            hall = hall_of(home, nats)
            known, ever = marks(hall, boards), heard(hall)
            silent = [it for it in boards if it in ever and it not in known]
            told += _unheard(boards, ever)
        except HexboardError as error:
            told = [str(say(error.message)), say(message("tournament.by_hand", file=str(file)))]
    trf = _changed(file, lambda trf: next_round(trf, known))
    without = [it.table for it in pairings(trf, trf.paired) if it.open and not it.board]
    if known or silent:
        told += _boardless(file, without, silent)
    _tell(trf, as_json, *_round(trf), notes=told)


@tournament.command()
@NAMED
@click.argument("table", type=int)
@click.argument("board")
@HALL
@JSON
@click.pass_obj
def board(home: Path, file: Path, table: int, board: str, nats: str | None, as_json: bool) -> None:
    """Put pairing TABLE of the newest round on BOARD, from now on."""
    from hexboard.daemon.hall.marks import heard, marks
    from hexboard.daemon.hall.tournament import by_hand, placed, shared

    _board(board, ())
    hall = hall_of(home, nats)
    known = marks(hall, [board])
    if board not in known:
        if board in (ever := heard(hall)):
            raise BadText("tournament.silent", board=board, file=str(file), table=table)
        raise BadText("tournament.unheard", boards=board, known=", ".join(ever) or "–")
    trf = _changed(file, lambda trf: placed(trf, table, board, known[board]))
    told = [
        say(message("tournament.shared", board=board, table=table, other=other))
        for other in shared(trf, table)
    ]
    if by_hand(trf, table):
        told.append(say(message("tournament.stays", file=str(file), table=table)))
    _tell(trf, as_json, *_round(trf), notes=told)


def _unheard(boards: "Sequence[str]", ever: "Sequence[str]") -> list[str]:
    """What is said of boards that the hall has never heard of: a name may be misspelt."""
    missing = [it for it in boards if it not in ever]
    if not missing:
        return []
    known = ", ".join(ever) or "–"
    return [say(message("tournament.unheard", boards=", ".join(missing), known=known))]


def _boardless(file: Path, tables: "Sequence[int]", silent: "Sequence[str]") -> list[str]:
    """What is said of tables without a board, while these boards say nothing."""
    lines = [
        say(message("tournament.silent", board=board, file=str(file), table=table))
        for table, board in zip(tables, silent, strict=False)
    ]
    if rest := ", ".join(map(str, tables[len(silent) :])):
        lines.append(say(message("tournament.boardless", tables=rest, file=str(file))))
    return lines


@tournament.command()
@NAMED
@click.argument("table", type=int)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game (`hexboard help GAME` lists them); may be repeated.",
)
@HALL
@JSON
@click.pass_obj
def start(
    home: Path, file: Path, table: int, options: tuple[str, ...], nats: str | None, as_json: bool
) -> None:
    """Have the board of pairing TABLE begin the game, with the names of both at its seats.

    The board does so where its settings say `starts = true` under [hub], and no match goes on.
    """
    from hexboard.daemon.hall.starting import start_on
    from hexboard.daemon.hall.tournament import at_table
    from hexboard.record.trf import read_trf

    trf = read_trf(file)
    it = at_table(trf, trf.paired, table)
    if not (trf.hall.game and it.board and it.black):
        raise BadText("tournament.no_start", table=table)
    asked = _options(trf.hall.game, options)
    names = (it.white.name, it.black.name)
    if why := start_on(hall_of(home, nats), it.board, trf.hall.game, asked, names):
        raise BadText("tournament.refused", board=it.board, why=why)
    said = message("tournament.starts", board=it.board, white=names[0], black=names[1])
    _tell(trf, as_json, say(said))


def _options(game: str, given: tuple[str, ...]) -> "dict[str, Value]":
    """What was said of the game. Raises `BadText` where the game has no such option."""
    from hexboard.commands.games import set_up
    from hexboard.game import registry

    found, board, options = set_up(game, given)
    with registry.used(game):
        found.start(board, options)
    return options


@tournament.command()
@NAMED
@click.argument("table", type=int)
@click.argument("result")
@click.option("--round", "round_", type=int, help="The round; else the newest.")
@JSON
def result(file: Path, table: int, result: str, round_: int | None, as_json: bool) -> None:
    """Enter or correct RESULT of pairing TABLE: 1-0, 0-1, 1/2; +-, -+, -- for who did not come;
    none takes it back.

    What boards tell does not change it then. Write -- before one that begins with a dash:
    `hexboard tournament result FILE -- 2 -+`.
    """
    from hexboard.daemon.hall.tournament import resulted

    def entered(trf: "Trf") -> "Trf":
        return resulted(trf, trf.paired if round_ is None else round_, table, result)

    trf = _changed(file, entered)
    _tell(trf, as_json, *_round(trf, round_), round_=round_)


@tournament.command()
@NAMED
@click.argument("name")
@JSON
def join(file: Path, name: str, as_json: bool) -> None:
    """NAME plays as well, from the next round on; a round that was missed gives no points.

    In a round robin that can be before its first round alone.
    """
    from hexboard.daemon.hall.tournament import joining

    trf = _changed(file, lambda trf: joining(trf, name.strip()))
    said = message("tournament.joined", name=name.strip(), number=trf.players[-1].number)
    _tell(trf, as_json, say(said))


@tournament.command()
@NAMED
@click.argument("name")
@click.option("--back", is_flag=True, help="They play again.")
@JSON
def leave(file: Path, name: str, back: bool, as_json: bool) -> None:
    """NAME (or a number) is not paired from the next round on."""
    from hexboard.daemon.hall.tournament import found, leaving

    trf = _changed(file, lambda trf: leaving(trf, found(trf, name).number, back))
    key = "tournament.back" if back else "tournament.left"
    _tell(trf, as_json, say(message(key, name=found(trf, name).name)))


@tournament.command()
@NAMED
@click.option("--round", "round_", type=int, help="The round; else the newest.")
@JSON
def show(file: Path, round_: int | None, as_json: bool) -> None:
    """Show a round's pairings, and the table: points, Buchholz, Sonneborn-Berger."""
    from hexboard.record.trf import read_trf

    trf = read_trf(file)
    _tell(trf, as_json, *_round(trf, round_), *_table(trf), round_=round_)


def _changed(file: Path, change: "Callable[[Trf], Trf]") -> "Trf":
    """Change the file, and nobody else meanwhile. Raises `HexboardError`."""
    from hexboard.daemon.hall.desk import changing
    from hexboard.daemon.hall.tournament import text
    from hexboard.record.trf import read_trf, write_trf

    with changing(file):
        trf = change(read_trf(file))
        write_trf(file, text(trf))
    return trf


def _board(name: str, all_: tuple[str, ...]) -> None:
    from hexboard.daemon.hall.wire import node

    if not name or node(name) != name or all_.count(name) > 1:
        raise BadText("tournament.no_board", name=name)


def _tell(
    trf: "Trf",
    as_json: bool,
    *lines: str,
    round_: int | None = None,
    notes: "Sequence[str] | None" = None,
) -> None:
    """A round, else the newest, and the table as JSON, with `notes` where there may be some; or
    lines for people."""
    from hexboard.daemon.hall.desk import shown
    from hexboard.daemon.hall.tournament import standings

    figures = shown(trf, standings(trf), round=round_) if as_json else {}
    tell(as_json, figures if notes is None else {**figures, "notes": notes}, *lines, *notes or ())


def _round(trf: "Trf", round_: int | None = None) -> list[str]:
    """A round in lines."""
    from hexboard.daemon.hall.tournament import pairings

    round = trf.paired if round_ is None else round_
    if not round:
        return [say(message("tournament.unpaired"))]
    if not 0 < round <= trf.paired:
        raise BadText("tournament.no_round", round=round, paired=trf.paired)
    lines = [say(_headed(trf, round))]
    for it in pairings(trf, round):
        if it.black is not None:
            about = f"{it.table:>3}  {it.white.name} – {it.black.name}"
            lines.append("  ".join(filter(None, (about, it.result, it.board))))
        else:
            lines.append(f"     {say(_alone(it.kind, it.white.name))}")
    return lines


def _alone(kind: str, name: str) -> "Message":
    """What is said of who has nobody to meet."""
    if kind == "byes":
        return message("tournament.bye", name=name)
    if kind == "half_byes":
        return message("tournament.half_bye", name=name)
    if kind == "full_byes":
        return message("tournament.full_bye", name=name)
    if kind == "rests":
        return message("tournament.rest", name=name)
    return message("tournament.absent", name=name)


def _headed(trf: "Trf", round: int) -> "Message":
    """What stands above a round."""
    if not trf.rounds:
        return message("tournament.uncounted", round=round)
    return message("tournament.round", round=round, rounds=trf.rounds)


def _table(trf: "Trf") -> list[str]:
    """The table in lines, columns that are as wide as they must be."""
    from hexboard.daemon.hall.tournament import closed, standings

    rows = [[say(message(key)) for key in COLUMNS]]
    for it in standings(trf):
        counts = (spelt(count) for count in (it.points, it.buchholz, it.sonneborn))
        rows.append([str(it.rank), it.name, *counts])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    after = say(message("tournament.after", count=closed(trf)))
    lines = ["  ".join(it.ljust(w) for it, w in zip(row, widths, strict=True)) for row in rows]
    return ["", after, *(line.rstrip() for line in lines)]
