"""`hexboard tiles`: check, show and draw the tiles of Hextraction."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexboard.commands import PICTURE, TypedPath, spared, wrote
from hexboard.commands.spoken import in_words
from hexboard.words import message, say

if TYPE_CHECKING:
    from hexboard.games.hextraction.tiles.effects import Operation, TileEffect
    from hexboard.games.hextraction.tiles.tile import Described, Tile


@click.group()
def tiles() -> None:
    """The tiles of Hextraction: check, show or draw them."""


@tiles.command()
@click.argument("places", nargs=-1, type=TypedPath())
@click.pass_obj
def check(home: Path, places: tuple[Path, ...]) -> None:
    """Check tile files or folders PLACES together: what the rules ask of each, and of all of them.
    Without one, your own: ~/.config/hexboard/tiles."""
    from hexboard.games.hextraction.tiles.catalogue import load_set

    files = list(dict.fromkeys(_files(places) if places else (home / "tiles").glob("*.toml")))
    found = load_set(files)
    for path, tile in zip(files, found.values(), strict=True):
        click.echo(in_words("{path}: {name}, a good tile").format(path=path, name=tile.name))
    if not files:
        click.echo(in_words("There are no tile files there."))


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
@click.option("-o", "--output", type=PICTURE, help="x.svg. Default: TILE.svg")
@click.pass_obj
def draw(home: Path, tile: str, output: Path | None) -> None:
    """Draw a TILE (its id or its file): channels, sockets and trigger areas."""
    from hexboard.files import whole
    from hexboard.games.hextraction.tiles.drawing import svg

    which = _named(home, tile)
    path = output or Path(f"{which.id}.svg")
    spared(path, Path(tile))
    whole(path, svg(which).encode())
    wrote(path, say(message("file.drew", file=str(path))))


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
    alike = [it for it in known if it.lower() == name.lower()]
    if name not in known and len(alike) == 1:
        name = alike[0]
    if name not in known:
        raise BadText("tile.none", id=name[:40], near=nearest(name, list(known)))
    return known[name]


# ------------------------------------------------------------------------------------- in words


def _told(tile: "Tile") -> Iterator[str]:
    from hexboard.games.hextraction.tiles.tile import Described

    of = tile.owner if isinstance(tile, Described) else ""
    owner = _said(", owned by {owner}", owner=of) if of else ""
    yield f"{tile.name} ({tile.id}, {tile.set}{owner})"
    yield _said("From: {source}", source=in_words(tile.source))
    for net in tile.nets:
        joined = " - ".join(map(str, net))
        kind = "Joins edges {edges}" if len(net) > 1 else "A dead end behind edge {edges}"
        yield _said(kind, edges=joined)
    yield _said("Sockets at edges {edges}", edges=", ".join(map(str, tile.sockets)))
    if isinstance(tile, Described):
        yield from _card(tile)
    sure = (f"{in_words(what)} {in_words(how)}" for what, how in tile.confidence.items())
    yield _said("How sure: {sure}", sure=", ".join(sure))


def _card(tile: "Described") -> Iterator[str]:
    if tile.keywords:
        words = ", ".join(word.capitalize() for word in tile.keywords)
        yield _said("Keywords: {words}", words=words)
    if tile.combo:
        yield _said("Played together with: {tiles}", tiles=", ".join(tile.combo))
    if tile.text:
        yield _said("Text: {text}", text=in_words(tile.text))
    for trigger in tile.triggers:
        yield _said("Trigger area {id}{at}", id=trigger.id, at=_at(trigger.edges))
    for hole in tile.holes:
        counts = (
            _said(", counts as {what}", what=in_words(hole.counts_as)) if hole.counts_as else ""
        )
        yield _said("Hole {id}{at}", id=hole.id, at=_at(hole.edges)) + counts
    for pocket in tile.pockets:
        at, holds = _at(pocket.edges), pocket.holds
        yield _said("Pocket {id}{at} for {holds}", id=pocket.id, at=at, holds=holds)
    for ramp in tile.ramps:
        yield _said("Ramp {id}{at}", id=ramp.id, at=_at(ramp.edges))
    for part in tile.parts:
        begins = _said(", begins {state}", state=part.initial) if part.initial else ""
        yield _said("Part {id}: {states}", id=part.id, states=", ".join(part.states)) + begins
    for item in tile.items:
        yield _said(
            "Needs {item}, brought by the {by}", item=in_words(item.name), by=in_words(item.by)
        )
    for effect in tile.effects:
        yield effect_in_words(effect)


def _at(edges: tuple[int, ...]) -> str:
    if not edges:
        return in_words(", place not known")
    return _said(" on the way of {edges}", edges=" - ".join(map(str, edges)))


def _said(said: str, /, **values: object) -> str:
    return in_words(said).format(**values)


def effect_in_words(effect: "TileEffect") -> str:
    """One line: gates, cause, conditions, cost, what is done."""
    from hexboard.games.hextraction.tiles.conditions import told
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
    cause = in_words(CAUSES[effect.cause]) + (f" ({effect.area})" if effect.area else "")
    head = " ".join((*(f"{in_words(gate)}:" for gate in gates), cause)).rstrip()
    if effect.conditions:
        head += in_words(" when " if effect.cause == "limit" else " if ")
        head += say(told(effect.conditions))
    parts = []
    if effect.ask:
        parts.append(f"“{in_words(effect.ask)}”")
    if effect.limit_per_turn is not None:
        parts.append(_said("at most {n} a turn", n=effect.limit_per_turn))
    if effect.cost:
        parts.append(_said("pay: {cost}", cost=", ".join(map(_operation, effect.cost))))
    if effect.overrides:
        parts.append(_said("against {rules}", rules=", ".join(effect.overrides)))
    if effect.text:
        parts.append(in_words(effect.text))
    parts += [_operation(operation) for operation in effect.do]
    return head + (f": {'; '.join(parts)}" if parts else "")


def _operation(operation: "Operation") -> str:
    """An operation in words: who, what it is, and the rest, key by key."""
    from hexboard.games.hextraction.tiles.effects import OPERATIONS

    values = operation.values()
    if operation.op == "manual":
        return _said("by hand: {text}", text=in_words(operation.text))
    who = f"{in_words(str(values.pop('who')))} " if "who" in values else ""
    may = in_words("may: ") if values.pop("optional", None) else ""
    rest = ", ".join(f"{in_words(key)} {_worded(key, value)}" for key, value in values.items())
    said = f"{may}{who}{in_words(OPERATIONS[operation.op].words)}"
    return f"{said} ({rest})" if rest else said


def _worded(key: str, value: str | int) -> str:
    """What a key of an operation says; a name, of a tile or a part, stays as it is."""
    from hexboard.games.hextraction.tiles.effects import EXTRAS, MODIFIED, ONE, WORDS

    said = str(value)
    one = said.startswith(ONE) and key in WORDS
    bare = said.removeprefix(ONE) if one else said
    known = WORDS.get(key, (*EXTRAS, *MODIFIED) if key == "what" else ("all",))
    word = in_words(bare.replace("_", " ")) if bare in known else bare.removeprefix("name:")
    return in_words(ONE) + word if one else word
