"""`hexboard tiles`: check, show and draw the tiles of Hextraction."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import FILE

if TYPE_CHECKING:
    from hexboard.games.hextraction.tiles.effects import Operation, TileEffect
    from hexboard.games.hextraction.tiles.tile import Described, Tile


@click.group()
def tiles() -> None:
    """The tiles of Hextraction: check, show or draw them."""


@tiles.command()
@click.argument("places", nargs=-1, type=click.Path(path_type=Path))
@click.pass_obj
def check(home: Path, places: tuple[Path, ...]) -> None:
    """Check tile files or folders PLACES together: what the rules ask of each, and of all of them.
    Without one, your own: ~/.config/hexboard/tiles."""
    from hexboard.games.hextraction.tiles.catalogue import load_set

    files = list(dict.fromkeys(_files(places) if places else (home / "tiles").glob("*.toml")))
    found = load_set(files)
    for path, tile in zip(files, found.values(), strict=True):
        click.echo(f"{path}: {tile.name}, a good tile")
    if not files:
        click.echo("There are no tile files there.")


def _files(places: tuple[Path, ...]) -> Iterator[Path]:
    for place in places:
        if place.is_dir():
            yield from sorted(place.rglob("*.toml"))
        else:
            yield place


@tiles.command()
@click.argument("tile", required=False)
@click.pass_obj
def show(home: Path, tile: str | None) -> None:
    """Show a TILE (its id or its file) in words; without one, list them all."""
    if tile is not None:
        click.echo("\n".join(_told(_named(home, tile))))
        return
    for each in _all(home).values():
        click.echo(f"{each.id:20} {each.set:10} {each.name}")


@tiles.command()
@click.argument("tile")
@click.option("-o", "--output", type=FILE, help="x.svg. Default: TILE.svg")
@click.pass_obj
def draw(home: Path, tile: str, output: Path | None) -> None:
    """Draw a TILE (its id or its file): channels, sockets and trigger areas."""
    from hexboard.games.hextraction.tiles.drawing import svg

    which = _named(home, tile)
    path = output or Path(f"{which.id}.svg")
    path.write_text(svg(which), "utf-8")
    click.echo(f"Drew {path}")


def _all(home: Path) -> "dict[str, Tile]":
    """Our tiles and those of the home folder. Raises `BadFile`."""
    from hexboard.games.hextraction.tiles.catalogue import everything, load_own

    return {**everything(), **load_own(home)}


def _named(home: Path, name: str) -> "Tile":
    """The tile of that id, or in that file. Raises `BadFile`, `BadText`."""
    from hexboard.files import nearest
    from hexboard.games.hextraction.tiles.catalogue import load_tile
    from hexboard.words.errors import BadText

    if name.endswith(".toml"):
        return load_tile(Path(name))
    known = _all(home)
    if name not in known:
        raise BadText("tile.none", id=name[:40], near=nearest(name, list(known)))
    return known[name]


# ------------------------------------------------------------------------------------- in words


def _told(tile: "Tile") -> Iterator[str]:
    from hexboard.games.hextraction.tiles.tile import Described

    owner = f", owned by {tile.owner}" if isinstance(tile, Described) and tile.owner else ""
    yield f"{tile.name} ({tile.id}, {tile.set}{owner})"
    yield f"From: {tile.source}"
    for net in tile.nets:
        joined = " - ".join(map(str, net))
        yield f"Joins edges {joined}" if len(net) > 1 else f"A dead end behind edge {joined}"
    yield f"Sockets at edges {', '.join(map(str, tile.sockets))}"
    if isinstance(tile, Described):
        yield from _card(tile)
    sure = ", ".join(f"{what} {how}" for what, how in tile.confidence.items())
    yield f"How sure: {sure}"


def _card(tile: "Described") -> Iterator[str]:
    if tile.keywords:
        yield f"Keywords: {', '.join(word.capitalize() for word in tile.keywords)}"
    if tile.combo:
        yield f"Played together with: {', '.join(tile.combo)}"
    if tile.text:
        yield f"Text: {tile.text}"
    for trigger in tile.triggers:
        yield f"Trigger area {trigger.id}{_at(trigger.edges)}"
    for hole in tile.holes:
        counts = f", counts as {hole.counts_as}" if hole.counts_as else ""
        yield f"Hole {hole.id}{_at(hole.edges)}{counts}"
    for pocket in tile.pockets:
        yield f"Pocket {pocket.id}{_at(pocket.edges)} for {pocket.holds}"
    for ramp in tile.ramps:
        yield f"Ramp {ramp.id}{_at(ramp.edges)}"
    for part in tile.parts:
        begins = f", begins {part.initial}" if part.initial else ""
        yield f"Part {part.id}: {', '.join(part.states)}{begins}"
    for item in tile.items:
        yield f"Needs {item.name}, brought by the {item.by}"
    for effect in tile.effects:
        yield effect_in_words(effect)


def _at(edges: tuple[int, ...]) -> str:
    return f" on the way of {' - '.join(map(str, edges))}" if edges else ", place not known"


def effect_in_words(effect: "TileEffect") -> str:
    """One line: gates, cause, conditions, cost, what is done."""
    from hexboard.games.hextraction.tiles.effects import CAUSES

    gates = [
        word
        for word, on in (
            ("Forbidden", effect.forbidden),
            ("Offline", effect.offline),
            ("Overdrive", effect.overdrive),
            ("mandatory", effect.mandatory),
        )
        if on
    ]
    cause = CAUSES[effect.cause] + (f" ({effect.area})" if effect.area else "")
    when = " if " + " and ".join(effect.conditions) if effect.conditions else ""
    when = when.removeprefix(" if ") if effect.cause == "limit" else when
    head = " ".join((*(f"{gate}:" for gate in gates), cause)).rstrip()
    head += (" when " if effect.cause == "limit" and when else "") + when.replace("_", " ")
    parts = []
    if effect.ask:
        parts.append(f"“{effect.ask}”")
    if effect.limit_per_turn is not None:
        parts.append(f"at most {effect.limit_per_turn} a turn")
    if effect.cost:
        parts.append("pay: " + ", ".join(map(_operation, effect.cost)))
    if effect.overrides:
        parts.append("against " + ", ".join(effect.overrides))
    if effect.text:
        parts.append(effect.text)
    parts += [_operation(operation) for operation in effect.do]
    return head + (f": {'; '.join(parts)}" if parts else "")


def _operation(operation: "Operation") -> str:
    """An operation in words: who, what it is, and the rest as it stands in the file."""
    from hexboard.games.hextraction.tiles.effects import OPERATIONS

    values = operation.values()
    if operation.op == "manual":
        return f"by hand: {operation.text}"
    who = f"{values.pop('who')} " if "who" in values else ""
    may = "may: " if values.pop("optional", None) else ""
    rest = ", ".join(f"{key} {value}".replace("_", " ") for key, value in values.items())
    said = f"{may}{who}{OPERATIONS[operation.op].words}"
    return f"{said} ({rest})" if rest else said
