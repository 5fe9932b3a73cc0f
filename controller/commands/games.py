"""`hexboard help`, `play`, `referee` and `perft`: the games without a board."""

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from controller.errors import BadText, HexboardError
from controller.games.position import Option
from controller.words import message, say, sentences

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
    from rich.console import Console
    from rich.markdown import Markdown

    from controller import games

    if game is None:
        for name in games.names():
            click.echo(name)
        click.echo("\nhexboard help GAME tells its rules, hexboard play GAME plays it here.")
        return
    found = games.find(game)
    part = _part(found)
    text = games.help_text(part)
    console = Console()
    if console.is_terminal:
        with console.pager(styles=True):
            console.print(Markdown(text + _options(found, part) + _figures(found)))
    else:
        click.echo(text + _options(found, part) + _figures(found))


def _part(game: Any) -> str:
    """The folder of a game, which its message keys begin with."""
    return str(game.__name__).removeprefix("controller.games.").split(".")[0]


def _options(game: Any, part: str) -> str:
    """A game's options as Markdown, made from what it declares."""
    if not game.OPTIONS:
        return ""
    words = sentences(part)
    lines: list[str] = []
    for group, options in groupby(game.OPTIONS, key=lambda option: option.group):
        title = f"## Options: {group}" if group else "## Options"
        lines += ["", "", title, "", "| option | default, or | |", "|---|---|---|"]
        for option in options:
            meaning = words.get(f"{part}.option.{option.name}", "")
            lines.append(f"| {option.name} | {_values(option)} | {meaning} ({option.rule}) |")
    return "\n".join(lines) + "\n"


def _figures(game: Any) -> str:
    """The numbers of a game that says how sure each is, as Markdown."""
    if not hasattr(game, "figures"):
        return ""
    from controller.board import plain

    figures = game.figures(plain(game.board({})), {})
    rows = (f"| {figure.name} | {figure.value} | {figure.sure} |" for figure in figures)
    return "\n".join(
        ["", "## Numbers", "", "| number | is | how sure |", "|---|---|---|", *rows, ""]
    )


def _values(option: Option) -> str:
    """What an option may be, its default first and bold."""
    default = str(option.default)
    others = [str(choice) for choice in option.choices if choice != option.default]
    if type(option.default) is bool:
        default, *others = ("yes", "no") if option.default else ("no", "yes")
    elif type(option.default) is int:
        others = [f"{option.least} to {option.most}"]
    elif not option.choices:
        others = ["text"]
    return ", ".join([f"**{default}**", *others] if default else others)


@click.command()
@click.argument("game")
@GIVEN
@click.option("--options", "as_json", metavar="JSON", help="Options as a JSON object.")
@click.option("--position", default="", metavar="TEXT", help="Begin from this position.")
@click.pass_obj
def referee(
    home: Path, game: str, given: tuple[str, ...], as_json: str | None, position: str
) -> None:
    """Referee a GAME on standard input: a JSON object a line, an answer for each."""
    from controller.referee import Referee

    found, board, options = _set_up(game, given, as_json)
    if game == "hextraction":  # people's own tiles are in it, as on a board
        from controller.games.hextraction.tiles import brought

        options = brought(home) | options
    judge = Referee(found, board, options, position)
    for line in sys.stdin:
        if line.strip():
            click.echo(judge.line(line))


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
    from controller import referee as counting

    found, board, options = _set_up(game, given, as_json)
    first = found.parse(position, board, options) if position else found.start(board, options)
    count = counting.distinct if distinct else counting.perft
    click.echo(count(first, depth))


def _set_up(game: str, given: tuple[str, ...], as_json: str | None) -> tuple[Any, Any, Any]:
    """The game, its own board for these options, and the options."""
    from controller import games
    from controller.board import plain

    found = games.find(game)
    options: dict[str, Any] = {}
    if as_json is not None:
        try:
            options = json.loads(as_json)
        except ValueError as error:
            raise BadText("referee.json", why=str(error)) from None
        if not isinstance(options, dict):
            raise BadText("referee.object")
    options |= games.read_options(found, given)
    return found, plain(found.board(options)), options


@click.command()
@click.argument("game")
@GIVEN
@click.option("--seed", type=int, help="Dice and draws from this seed, to play the same again.")
@click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the game in this file, and go on with it if it is there.",
)
def play(game: str, given: tuple[str, ...], seed: int | None, record: Path | None) -> None:
    """Play a GAME here in the terminal, all seats at one keyboard."""
    from controller.play import Play

    found, board, options = _set_up(game, given, None)
    if not hasattr(found.start(board, options), "pieces"):
        raise BadText("play.balls", game=game)
    session = Play(found, board, options, seed, record)
    click.echo(say(message("play.welcome")))
    while True:
        click.echo()
        try:
            if (name := session.curtain) is not None:
                click.clear()  # as far as the terminal can forget
                _ask(say(message("play.curtain", seat=name)))
                session.open()
            session.show()
            if session.over:
                return
            text = _ask(session.prompt)
        except (click.Abort, EOFError):
            click.echo()
            return
        if text.strip() in ("quit", "q"):
            return
        try:
            session.take(text.strip())
        except HexboardError as error:
            click.echo(click.style(str(error), fg="red"))


def _ask(prompt: str) -> str:
    return str(click.prompt(prompt, prompt_suffix=" ", default="", show_default=False))
