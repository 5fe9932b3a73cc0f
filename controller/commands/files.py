"""`hexboard init`, `check` and `show`: the files that people write."""

import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import PICTURE, READ, board_named, spared, tell, wrote
from hexboard.commands.spoken import in_words, printable
from hexboard.words import message, say, translated
from hexboard.words.errors import BadFile, BadText
from hexboard.words.numbers import decimal

if TYPE_CHECKING:
    from hexboard.board import Board
    from hexboard.game.record import GameRecord

OURS = re.compile(r"(.+)(\.toml|\.json|\.sql|\.py)(?:\.txt)?", re.IGNORECASE)
"""How a file ends that is read, or was to be."""


@click.command()
@click.option("--force", is_flag=True, help="Write over a settings file that is there.")
@click.pass_obj
def init(home: Path, force: bool) -> None:
    """Write the settings file, every line explained."""
    from hexboard.settings import EXAMPLE, save

    path = home / "settings.toml"
    if path.exists() and not force:
        told = in_words("{path} is there already; --force writes over it.")
        raise click.ClickException(told.format(path=path))
    save(path, EXAMPLE)
    click.echo(say(message("file.wrote", file=str(path))))


@click.command()
@click.argument("files", nargs=-1, required=True, type=READ)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
@click.pass_obj
def check(home: Path, files: tuple[Path, ...], as_json: bool) -> None:
    """Check FILES that people write, boards, parts, tiles, decks, boxes, maps, terrains, settings,
    languages, records of games: every mistake at once, with its line."""
    from hexboard.commands.language import how_much
    from hexboard.files import Source

    bad = 0
    for path in files:
        try:
            kind, remarks = checked(path, home)
        except BadFile as error:
            bad += 1
            mistakes = [say(mistake) for mistake in error.mistakes]
            if as_json:
                click.echo(json.dumps({"file": str(path), "ok": False, "mistakes": mistakes}))
            else:
                click.echo(printable("\n".join(mistakes)), err=True)
        else:
            if kind == "language":
                remarks.insert(0, say(how_much(Source(path))))
            good = {"file": str(path), "ok": True, "kind": kind}
            good |= {"remarks": remarks} if remarks else {}
            told = message("file.good", file=str(path), kind=translated(kind, "kind"))
            tell(as_json, good, say(told), *remarks)
    sys.exit(1 if bad else 0)


def checked(path: Path, home: Path) -> tuple[str, list[str]]:
    """Which kind of file this is, after checking it, and what a good one may not have meant.

    Raises `BadFile`."""
    from hexboard.board import load, load_plan, unusual
    from hexboard.board.building import unsaid
    from hexboard.commands.build.parts import is_parts, load_parts
    from hexboard.commands.language import check_language
    from hexboard.commands.meaning import check_settings
    from hexboard.commands.records import is_kept, is_record, opened
    from hexboard.files import Source
    from hexboard.game import registry
    from hexboard.game.record import FIND
    from hexboard.lights.frame import kept_dark

    if right := misnamed(path, home):
        raise BadFile(str(path), (message("file.misnamed", file=str(path), name=right),))
    if path.is_file() and is_record(path):
        found = opened(path, home)
        return ("puzzle", judged(path, found)) if FIND in found.headers else ("record", [])
    if path.is_file() and is_kept(path):
        raise BadFile(str(path), (message("play.kept", file=str(path)),))
    source = Source(path)
    for kind in (kind for game in registry.sound() for kind in game.files):
        if kind.fits(source):
            kind.check(source, partial(board_named, home))
            return kind.name, []
    if is_parts(source):
        load_parts(path)
        return "parts", []
    if path.name == "settings.toml":
        check_settings(path, home)
        return "settings", []
    if path.parent.name == "locale":
        return "language", [say(remark) for remark in check_language(source)]
    board, plan = load_plan(path) if "build" in source.data else (load(path), None)
    remarks = [*kept_dark(board), *unusual(board)]
    remarks += unsaid(source, plan, board) if plan else ()
    if path.stem != board.name and path.resolve().parent == (home / "boards").resolve():
        remarks.append(message("board.other_name", file=path.stem, name=board.name))
    return "board", [say(remark) for remark in remarks]


def misnamed(path: Path, home: Path) -> str:
    """What a file in hexboard's folder would be called, were it to be read; "" where its name is
    well, and where that one is taken. Windows hides and adds endings, its disks write all large. A
    board or a tile may be called in capitals."""
    found = OURS.fullmatch(path.name)
    if found is None or not path.resolve().is_relative_to(home.resolve()):
        return ""
    stem, ending = found[1], found[2]
    small = path.parent.name == "locale" or stem == "SETTINGS"
    all_large = stem.isupper() and (small or ending.isupper())
    right = f"{stem.lower() if all_large else stem}{ending.lower()}"
    return "" if right == path.name or path.with_name(right).exists() else right


def judged(path: Path, found: "GameRecord") -> list[str]:
    """What is to be said of a puzzle whose moves are allowed. Raises `BadFile` for one that asks
    nothing, or whose solution does not force its win."""
    from hexboard.game.puzzle import TooMuch, keys, puzzle

    try:
        asked = puzzle(found)
        names = keys(asked) if asked.wins else None
    except BadText as error:
        wrong = message("record.wrong", file=str(path), line=1, why=error.message)
        raise BadFile(str(path), (wrong,)) from None
    except TooMuch:
        return [say(message("puzzle.unproved"))]
    if names is None:
        return []
    if asked.solution[0] not in names:
        fails = message("puzzle.fails", file=str(path), name=asked.solution[0])
        raise BadFile(str(path), (fails,))
    return [say(message("puzzle.good", count=len(names), moves=", ".join(names)))]


@click.command()
@click.argument("board", required=False)
@click.option("-o", "--output", type=PICTURE, help="x.svg")
@click.option("--json", "as_json", is_flag=True, help="The board as JSON, or the list.")
@click.pass_obj
def show(home: Path, board: str | None, output: Path | None, as_json: bool) -> None:
    """Show a BOARD in words, or draw it; without one, list the boards."""
    import msgspec

    from hexboard.files import shipped, whole

    if board is None:
        own, ours = (home / "boards").glob("*.toml"), shipped("boards").glob("*.toml")
        titles: dict[str, str] = {}
        for path in (*sorted(own), *sorted(ours)):
            try:
                titles.setdefault(path.stem, _title(board_named(home, str(path))))
            except BadFile as error:
                click.echo(printable(say(error.mistakes[0])), err=True)
        listed = [{"name": name, "title": title} for name, title in titles.items()]
        tell(as_json, {"boards": listed}, *(f"{it['name']:16} {it['title']}" for it in listed))
        return
    spared(output, Path(board))
    which = board_named(home, board)
    if output is not None:
        from hexboard.board.svg import svg

        whole(output, svg(which).encode())
        wrote(output, say(message("file.drew", file=str(output))))
        return
    if as_json:
        click.echo(msgspec.json.encode(which).decode())
        return
    title, cells, edges = _title(which), len(which.cells), len(which.shared_edges)
    sensors, pixels = len(which.sensors), len(which.pixels)
    for line in (
        message("board.titled", name=which.name, text=title, pitch=decimal(which.pitch)),
        message("board.counts", cells=cells, edges=edges, lanes=len(which.ramps)),
        message("board.wires", sensors=sensors, pixels=pixels, digest=which.hash),
    ):
        click.echo(say(line))
    for sensor in which.sensors:
        click.echo(f"  {sensor.source} {sensor.input:3}  {sensor.id}")


def _title(board: "Board") -> str:
    """What a board is called, in the words of the game that it is for."""
    from hexboard.game import registry

    known = board.game in registry.names() and board.game not in registry.broken()
    return translated(board.title, registry.find(board.game).prefix if known else "words")
