"""`hexboard init`, `check` and `show`: the files that people write."""

import json
import sys
from pathlib import Path

import click

from controller.commands import board_named
from controller.errors import BadFile, BadText
from controller.words import say


@click.command()
@click.option("--force", is_flag=True, help="Write over a settings file that is there.")
@click.pass_obj
def init(home: Path, force: bool) -> None:
    """Write the settings file, every line explained."""
    from controller.settings import EXAMPLE

    path = home / "settings.toml"
    if path.exists() and not force:
        raise click.ClickException(f"{path} is there already; --force writes over it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(EXAMPLE, "utf-8")
    click.echo(f"Wrote {path}")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
@click.pass_obj
def check(home: Path, files: tuple[Path, ...], as_json: bool) -> None:
    """Check FILES that people write, boards, tiles, decks, boxes, maps, terrains, settings: every
    mistake at once, with its line."""

    bad = 0
    for path in files:
        try:
            kind, remarks = _check(path, home)
        except BadFile as error:
            bad += 1
            mistakes = [say(mistake) for mistake in error.mistakes]
            if as_json:
                click.echo(json.dumps({"file": str(path), "ok": False, "mistakes": mistakes}))
            else:
                click.echo("\n".join(mistakes), err=True)
        else:
            if as_json:
                said = {"remarks": remarks} if remarks else {}
                click.echo(json.dumps({"file": str(path), "ok": True, "kind": kind, **said}))
            else:
                click.echo("\n".join([f"{path}: a good {kind} file", *remarks]))
    sys.exit(1 if bad else 0)


def _check(path: Path, home: Path) -> tuple[str, list[str]]:
    """Which kind of file this is, after checking it, and what a good one may not have meant.

    Raises `BadFile`."""
    from controller.board import load
    from controller.files import Source
    from controller.games.hexel.deck import load as load_deck
    from controller.games.hextraction.tiles import load_tile
    from controller.games.knee_deep.cards import box
    from controller.games.knee_deep.ground import TerrainFile, board_of, ground
    from controller.lights.frame import kept_dark
    from controller.settings import load as load_settings

    source = Source(path)
    schema = str(source.data.get("schema", ""))
    if schema.startswith("hexboard/tile"):
        load_tile(path)
        return "tile", []
    if schema.startswith("hexboard/deck"):
        load_deck(source)
        return "deck", []
    name = str(path) if path.is_absolute() else f"./{path}"  # not one of ours
    if "companions" in source.data:
        box(name)
        return "box", []
    if "sectors" in source.data:
        try:
            board = board_named(home, board_of(name))
        except BadText as error:
            wrong = source.mistake("file.value", ("board",), why=str(error).removesuffix("."))
            raise BadFile(str(path), (wrong,)) from None
        ground(name, board)
        return "map", []
    if source.data and source.data.keys() <= set(TerrainFile.__struct_fields__):
        _check_terrain(name)
        return "terrain", []
    if path.name == "settings.toml":
        load_settings(path)
        return "settings", []
    return "board", [say(remark) for remark in kept_dark(load(path))]


def _check_terrain(name: str) -> None:
    """A terrain says not of which map it is: one is enough that it fits. Raises `BadFile` with what
    is wrong on the first, where there is none."""
    from controller.board import plain
    from controller.games.knee_deep.ground import FOLDER, board_of, ground

    wrong = []
    for its_map in sorted(path.stem for path in FOLDER.glob("*.toml")):
        try:
            ground(its_map, plain(board_of(its_map)), name)
            return
        except BadFile as error:
            wrong.append(error)
    raise wrong[0]


@click.command()
@click.argument("board", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="x.svg")
@click.option("--json", "as_json", is_flag=True, help="The board as JSON.")
@click.pass_obj
def show(home: Path, board: str | None, output: Path | None, as_json: bool) -> None:
    """Show a BOARD in words, or draw it; without one, list the boards."""
    import msgspec

    from controller.files import shipped

    if board is None:
        for path in (
            *sorted((home / "boards").glob("*.toml")),
            *sorted(shipped("boards").glob("*")),
        ):
            which = board_named(home, str(path))
            click.echo(f"{which.name:16} {which.title}")
        return
    which = board_named(home, board)
    if output is not None:
        from controller.drawing import svg

        output.write_text(svg(which), "utf-8")
        click.echo(f"Drew {output}")
        return
    if as_json:
        click.echo(msgspec.json.encode(which).decode())
        return
    click.echo(f"{which.name}: {which.title}, {which.pitch} mm between cells")
    click.echo(
        f"{len(which.cells)} cells, {len(which.shared_edges)} edges, {len(which.ramps)} lanes"
    )
    click.echo(f"{len(which.sensors)} sensors, {len(which.pixels)} pixels, digest {which.hash}")
    for sensor in which.sensors:
        click.echo(f"  {sensor.source} {sensor.input:3}  {sensor.id}")
