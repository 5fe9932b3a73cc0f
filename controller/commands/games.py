"""`hexboard help`, `play`, `referee` and `perft`: the games without a board."""

import contextlib
import json
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FILE
from hexboard.commands.spoken import printable, wrong
from hexboard.commands.stopping import gone
from hexboard.game.options import Option, switched
from hexboard.words import Value, message, say, translated
from hexboard.words.errors import BadText, HexboardError

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.commands.play import TerminalGame
    from hexboard.game.game import AnyGame
    from hexboard.game.position import Action

GIVEN = click.option(
    "--option",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game (`hexboard help GAME` lists them); may be repeated.",
)


@click.command()
@click.argument("game", required=False)
def help(game: str | None) -> None:  # the command's name
    """The rules of a GAME, its options and notation; without one, the games there are."""
    from hexboard.commands.cli import left_out
    from hexboard.game import registry

    if game is None:
        broken = registry.broken()
        for name in registry.names():
            if name not in broken:
                game_ = registry.find(name)
                click.echo(f"{name:16} {game_.title()}. {game_.aim()}".rstrip())
        for why in (*registry.left_out(), *broken.values(), *left_out()):
            click.echo(str(why), err=True)
        click.echo(f"\n{say(message('play.games'))}")
        return
    found = registry.find(game)
    with registry.used(game):
        text = found.help() + _options(found) + _figures(found)
    if not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(text))


def _options(game: "AnyGame[Action]") -> str:
    """A game's options as Markdown, made from what it declares."""
    if not game.options:
        return ""
    lines: list[str] = []
    for group, options in groupby(game.options, key=lambda option: option.group):
        title = say(
            message("game.options_of", group=translated(group, game.prefix))
            if group
            else message("game.options")
        )
        head = (say(message("game.option_name")), say(message("game.option_values")))
        lines += ["", "", f"## {title}", "", f"| {head[0]} | {head[1]} | |", "|---|---|---|"]
        for option in options:
            rule = f" ({option.rule})" if option.rule else ""
            meaning = f"{game.about(option)}{rule}"
            lines.append(f"| {option.name} | {_values(option)} | {meaning} |")
    return "\n".join(lines) + "\n"


def _figures(game: "AnyGame[Action]") -> str:
    """The numbers of a game that says how sure each is, as Markdown."""
    if game.figures is None:
        return ""
    from hexboard.board import plain

    figures = game.figures(plain(game.board({})), {})
    rows = (f"| {figure.name} | {figure.value} | {translated(figure.sure)} |" for figure in figures)
    title, head = say(message("game.numbers")), say(message("game.number_columns"))
    return "\n".join(["", f"## {title}", "", head, "|---|---|---|", *rows, ""])


def _values(option: Option) -> str:
    """What an option may be, its default first and bold."""
    default = str(option.default)
    others = [str(choice) for choice in option.choices if choice != option.default]
    if type(option.default) is bool:
        default, *others = ("yes", "no") if option.default else ("no", "yes")
    elif type(option.default) is int:
        others = [say(message("game.range", least=option.least, most=option.most))]
    elif not option.choices:
        others = [say(message("game.any_text"))]
    return ", ".join([f"**{default}**", *others] if default else others)


@click.command()
@click.argument("game")
@GIVEN
@click.option("--options", "as_json", metavar="JSON", help="Options as a JSON object.")
@click.option("--position", default="", metavar="TEXT", help="Begin from this position.")
@click.option("--problem", is_flag=True, help="Also from one that could not come about.")
@click.pass_obj
def referee(
    home: Path,
    game: str,
    given: tuple[str, ...],
    as_json: str | None,
    position: str,
    problem: bool,
) -> None:
    """Referee a GAME on standard input: a JSON object a line, an answer for each."""
    from hexboard.commands.bots import lines
    from hexboard.game.referee import Referee
    from hexboard.game.registry import used

    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # where what a game prints goes
        found, board, options = set_up(game, given, as_json)
        with used(game):
            if found.own_options is not None:  # people's own tiles are in it, as on a board
                options = {**found.own_options(home), **options}
            judge = Referee(found, board, options, position, problem)
        for line in lines(sys.stdin.buffer):
            click.echo(judge.line(line), answers)
            if news := judge.news():
                click.echo(news, answers)


@click.command()
@click.argument("game")
@click.argument("depth", type=click.IntRange(0))
@GIVEN
@click.option("--options", "as_json", metavar="JSON", help="Options as a JSON object.")
@click.option("--position", default="", metavar="TEXT", help="Begin from this position.")
@click.option("--distinct", is_flag=True, help="Count different positions, not ways to them.")
def perft(
    game: str,
    depth: int,
    given: tuple[str, ...],
    as_json: str | None,
    position: str,
    distinct: bool,
) -> None:
    """Count the sequences of DEPTH actions of a GAME: one number, to compare engines by."""
    from hexboard.game import referee as counting
    from hexboard.game.registry import used

    found, board, options = set_up(game, given, as_json)
    with used(game):
        first = found.read(position, board, options) if position else found.begin(board, options)
        if distinct:
            click.echo(counting.distinct(first, depth))
        else:
            click.echo(counting.perft(first, depth, found.move_count or counting.listed))


def set_up(
    game: str, given: tuple[str, ...], as_json: str | None = None
) -> "tuple[AnyGame[Action], Board, dict[str, Value]]":
    """The game, its own board for these options, and the options."""
    from hexboard.board import plain
    from hexboard.game import registry
    from hexboard.game.game import board_for

    found = registry.find(game)
    options: dict[str, Value] = {}
    if as_json is not None:
        try:
            options = json.loads(as_json)
        except ValueError as error:
            raise BadText("referee.json", why=str(error)) from None
        if not isinstance(options, dict):
            raise BadText("game.options_object")
    options = switched(found.options, options) | registry.read_options(found, given)
    with registry.used(game):
        return found, plain(board_for(found, options)), options


@click.command()
@click.argument("game", required=False)
@GIVEN
@click.option("--problem", default="", metavar="FILE", help="Solve the puzzle in this file.")
@click.option("--seed", type=int, help="Dice and draws from this seed, to play the same again.")
@click.option(
    "--record", type=FILE, help="Keep the game in this file, and go on with it if it is there."
)
@click.option("--name", "names", multiple=True, help="Who plays, seat by seat; may be repeated.")
@click.option(
    "--clock",
    default="",
    metavar="MINUTES[+SECONDS]",
    help="The time of each side, and what each turn adds to it. Without, no clock runs.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="SEAT=COMMAND",
    help="A program plays this seat (docs/referee.md). May be repeated.",
)
@click.pass_obj
def play(
    home: Path,
    game: str | None,
    given: tuple[str, ...],
    problem: str,
    seed: int | None,
    record: Path | None,
    names: tuple[str, ...],
    clock: str,
    bots: tuple[str, ...],
) -> None:
    """Play a GAME here in the terminal, all seats at one keyboard or against programs; or solve a
    puzzle."""
    if problem:
        from hexboard.commands.puzzles import puzzle_named, solve
        from hexboard.game.registry import used

        if game or given or record or names or clock or bots:
            raise wrong("--problem goes alone: the file says which game it is of.")
        asked = puzzle_named(problem, home)
        with used(asked.record.game.name):
            solve(asked)
        return
    if game is None:
        raise wrong("Name a GAME, or a puzzle with --problem.")
    from hexboard.board import plain
    from hexboard.commands.play import TerminalGame, begun_with
    from hexboard.game.game import board_for
    from hexboard.game.registry import used

    found, _, options = set_up(game, given)
    if found.touched is None:
        raise BadText("play.balls", game=game)
    with used(game):
        chosen = begun_with(found, options, record)
        board = plain(board_for(found, chosen))
        session = TerminalGame(found, board, chosen, seed, record, names, clock, bots=bots)
        with contextlib.closing(session):
            _played(session)


def _played(session: "TerminalGame") -> None:
    """Ask for what is done, and do it, until the game is over or nobody is there."""
    click.echo(say(message("play.welcome")))
    while True:
        click.echo()
        try:
            while session.automatic:
                with session.thinking():
                    session.let_play()
            if (name := session.curtain) is not None:
                click.clear()  # as far as the terminal can forget
                with session.thinking():
                    _ask(say(message("play.curtain", seat=name)))
                session.open()
            session.show()
            if session.over:
                return
            with session.thinking():
                text = _ask(session.prompt)
        except (click.Abort, EOFError) as error:
            click.echo()
            gone(error)
            return
        if text.strip() in ("quit", "q"):
            return
        try:
            session.take(text.strip())
        except HexboardError as error:
            click.echo(click.style(printable(str(error)), fg="red"))


def _ask(prompt: str) -> str:
    return str(click.prompt(prompt, prompt_suffix=" ", default="", show_default=False))
