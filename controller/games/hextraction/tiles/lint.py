"""What the rules ask of a tile before it is played: section 0, and the terms that its text uses.

`card` looks at one file, `together` at files that are to be played in one game. Each mistake is one
sentence with the file, the line and the rule.
"""

import re
from collections.abc import Iterable, Iterator

from hexboard.files import Path_, Source, nearest
from hexboard.games.hextraction.tiles.effects import (
    ADDS,
    CAUSES,
    CONDITION,
    EXTRAS,
    MODIFIED,
    NAMED,
    ONE,
    OPERATIONS,
    PROTECTED,
    STANDING,
    WORDS,
    Operation,
    TileEffect,
)
from hexboard.games.hextraction.tiles.tile import Described, Tile
from hexboard.words import Message

KEYWORDS = ("virtual", "unique", "combo")
"""Keywords that belong to a tile; Forbidden belongs to an effect (T.TileKeyword)."""
SURE = ("measured", "stated", "approximate", "assumed", "unknown")
"""How sure a fact about a tile is, the surest first."""
KNOWN = ("routes", "sockets", "effects")
COUNTS_AS = ("fell", "off", "returned")


def card(source: Source, tile: Described) -> Iterator[Message]:
    """Mistakes in one file of form 2: among them what others should bring (0.1.6), and a star with
    nothing to it, or none (0.2.3)."""
    yield from _confidence(source, tile)
    yield from _keywords(source, tile)
    yield from _places(source, tile)
    for i, item in enumerate(tile.items):
        if item.by != "owner" and item.name not in ("ball", "tile"):
            yield source.mistake("tile.items", ("items", i), item=item.name)
    acts = bool(tile.effects or tile.keywords)
    if tile.star is not None and tile.star != acts:
        yield source.mistake("tile.star_needed" if acts else "tile.star_vain", ("star",))
    for i, effect in enumerate(tile.effects):
        yield from _effect(source, tile, effect, ("effects", i))


def together(
    loaded: Iterable[tuple[Source, Tile]], whole: bool = True
) -> Iterator[tuple[Source, Message]]:
    """What one file says against another; `whole` is false where some files could not be read, so
    that nothing is said to be missing."""
    tiles = list(loaded)
    ids: dict[str, Source] = {}
    cards: dict[tuple[str, str], tuple[Source, Described]] = {}
    for source, tile in tiles:
        other = ids.setdefault(tile.id, source)
        if other is not source:
            there = str(other.path)
            yield source, source.mistake("tile.id_twice", ("id",), id=tile.id, other=there)
        if isinstance(tile, Described):
            first, same = cards.setdefault((tile.owner, tile.name), (source, tile))
            if same.rules != tile.rules:
                who, there = tile.owner or "nobody", str(first.path)
                wrong = source.mistake(
                    "tile.two_texts", ("name",), name=tile.name, owner=who, other=there
                )
                yield source, wrong
    for source, tile in tiles:
        if isinstance(tile, Described):
            for mistake in _needed(source, tile, {t.id: t for _, t in tiles}, whole):
                yield source, mistake


def _needed(
    source: Source, tile: Described, all_: dict[str, Tile], whole: bool
) -> Iterator[Message]:
    """Tiles that this one cannot do without: parts of a Combo, what it creates (T.Create.2)."""
    for part in tile.combo:
        if part not in all_ and whole:
            yield source.mistake("tile.combo_part", ("combo",), part=part)
    for i, effect in enumerate(tile.effects):
        for k, operation in enumerate(effect.do):
            if operation.op != "create" or not operation.name:
                continue
            at, made = ("effects", i, "do", k), all_.get(operation.name)
            if made is None and whole:
                yield source.mistake("tile.create_unknown", at, name=operation.name)
            elif made is not None and "virtual" not in getattr(made, "keywords", ()):
                yield source.mistake("tile.create_real", at, name=operation.name)


def _confidence(source: Source, tile: Described) -> Iterator[Message]:
    for key in KNOWN if tile.effects else KNOWN[:2]:
        if key not in tile.confidence:
            yield source.mistake("tile.confidence_none", ("confidence",), key=key)
    for key, sure in tile.confidence.items():
        if key not in KNOWN or sure not in SURE:
            known, words = ", ".join(KNOWN), ", ".join(SURE)
            at = ("confidence", key)
            yield source.mistake("tile.confidence", at, known=known, words=words)


def _keywords(source: Source, tile: Described) -> Iterator[Message]:
    for word in tile.keywords:
        if word == "forbidden":
            yield source.mistake("tile.forbidden", ("keywords",))
        elif word not in KEYWORDS:
            known = ", ".join(KEYWORDS)
            yield source.mistake("tile.keyword", ("keywords",), word=word, known=known)
    if bool(tile.combo) != ("combo" in tile.keywords):
        yield source.mistake("tile.combo", ("combo",))


def _places(source: Source, tile: Described) -> Iterator[Message]:
    """Mistakes in trigger areas, holes, pockets, ramps and parts."""
    open_ = {edge for net in tile.nets for edge in net}
    seen: set[str] = set()
    kinds = ("triggers", "holes", "pockets", "ramps", "parts")
    for kind in kinds:
        for i, place in enumerate(getattr(tile, kind)):
            if place.id in seen or not re.fullmatch(r"\w+", place.id):
                yield source.mistake("tile.place", (kind, i, "id"), id=place.id)
            seen.add(place.id)
            edges = set(getattr(place, "edges", ()))
            for edge in edges - open_:
                yield source.mistake("tile.place_edge", (kind, i, "edges"), edge=edge)
            if edges <= open_ and not any(edges <= {*net} for net in (*tile.nets, ())):
                yield source.mistake("tile.place_net", (kind, i, "edges"), id=place.id)
    for edge in tile.shared:
        if edge not in open_:
            yield source.mistake("tile.place_edge", ("shared",), edge=edge)
    for i, hole in enumerate(tile.holes):
        if hole.counts_as not in ("", *COUNTS_AS):
            at, words = ("holes", i, "counts_as"), ", ".join(COUNTS_AS)
            yield source.mistake("tile.counts_as", at, word=hole.counts_as, known=words)
    for i, pocket in enumerate(tile.pockets):
        if pocket.holds < 1:
            yield source.mistake("tile.holds", ("pockets", i, "holds"), n=pocket.holds)
    for i, part in enumerate(tile.parts):
        if len(set(part.states)) < 2 or part.initial not in ("", *part.states):
            yield source.mistake("tile.part", ("parts", i), id=part.id)


def _effect(source: Source, tile: Described, effect: TileEffect, at: Path_) -> Iterator[Message]:
    if effect.cause not in CAUSES:
        near = nearest(effect.cause, list(CAUSES))
        yield source.mistake("tile.cause", (*at, "cause"), cause=effect.cause, near=near)
        return
    yield from _cause(source, tile, effect, at)
    yield from _gates(source, tile, effect, at)
    yield from _lasting(source, effect, at)
    for key, operations in (("do", effect.do), ("cost", effect.cost)):
        for k, operation in enumerate(operations):
            yield from _operation(source, tile, effect, operation, (*at, key, k))


def _cause(source: Source, tile: Described, effect: TileEffect, at: Path_) -> Iterator[Message]:
    """What each cause asks for: an area, a text (0.2.1), a condition, a question (2.7.2), something
    to do."""
    areas = {
        "trigger": {area.id for area in tile.triggers},
        "hole": {hole.id for hole in tile.holes},
    }.get(effect.cause)
    if areas is None and effect.area:
        yield source.mistake("tile.area_vain", (*at, "area"), cause=effect.cause)
    elif areas is not None and effect.area not in areas:
        yield source.mistake("tile.area", (*at, "area"), cause=effect.cause, area=effect.area)
    if effect.cause == "limit" and not (effect.conditions or effect.text):
        yield source.mistake("tile.limit", at)
    if effect.cause == "setup" and not effect.text:
        yield source.mistake("tile.setup", at)
    if effect.cause not in ("limit", "setup", "hole") and not effect.do:
        yield source.mistake("tile.nothing", at)
    activated = effect.cause == "activated"
    if activated and not effect.ask:
        yield source.mistake("tile.ask", at)
    if activated and effect.mandatory and effect.limit_per_turn is None:
        yield source.mistake("tile.mandatory", at)
    if effect.limit_per_turn is not None and effect.limit_per_turn < 1:
        yield source.mistake("tile.per_turn", (*at, "limit_per_turn"), n=effect.limit_per_turn)
    if not activated and (effect.cost or effect.ask or effect.limit_per_turn is not None):
        yield source.mistake("tile.only_activated", at)


def _lasting(source: Source, effect: TileEffect, at: Path_) -> Iterator[Message]:
    """What lasts and what is done at one moment: an Ongoing effect is either the one, or the other
    under a condition (T.Ongoing); a Setup prepares nothing but its own tile (T.Setup)."""
    ops = [operation.op for operation in effect.do]
    lasts = [op in STANDING for op in ops]
    if effect.cause == "ongoing" and any(lasts) and not all(lasts):
        yield source.mistake("tile.ongoing_mixed", at, known=", ".join(STANDING))
    if effect.cause == "ongoing" and not (any(lasts) or effect.conditions or "manual" in ops):
        yield source.mistake("tile.ongoing_when", at)
    if effect.cause == "ongoing" and any(o.op == "extra" and o.who != "active" for o in effect.do):
        yield source.mistake("tile.ongoing_whose", at)
    if effect.cause != "ongoing" and {"modify", "block"} & {*ops}:
        yield source.mistake("tile.modify", at)
    own = all(o.where == "self" or (o.part and o.state) for o in effect.do)
    if effect.cause == "setup" and not (own and set(ops) <= {"place_ball", "set_part"}):
        yield source.mistake("tile.setup_do", at)


def _gates(source: Source, tile: Described, effect: TileEffect, at: Path_) -> Iterator[Message]:
    """Gates: what contradicts section 0 has to be Forbidden (0.1.3)."""
    for rule in effect.overrides:
        if not re.fullmatch(r"0(\.\d+){1,3}", rule):
            yield source.mistake("tile.overrides", (*at, "overrides"), overridden=rule)
        elif not effect.forbidden:
            yield source.mistake("tile.overrides_0", (*at, "overrides"), overridden=rule)
    states = {part.id: part.states for part in tile.parts}
    for condition in effect.conditions:
        found = CONDITION.fullmatch(condition)
        if found is None:
            yield source.mistake("tile.condition", (*at, "if"), condition=condition)
        elif found["part"] and found["state"] not in states.get(found["part"], ()):
            part, state = found["part"], found["state"]
            yield source.mistake("tile.part_state", (*at, "if"), part=part, state=state)


def _operation(
    source: Source, tile: Described, effect: TileEffect, operation: Operation, at: Path_
) -> Iterator[Message]:
    """An operation of the closed list, with its keys: what happens outside the game, and tiles that
    come into it, it has no words for (0.1.2, 0.1.7)."""
    if operation.op in ADDS:
        yield source.mistake("tile.adds", at, op=operation.op)
        return
    form = OPERATIONS.get(operation.op)
    if form is None:
        near = nearest(operation.op, list(OPERATIONS))
        yield source.mistake("tile.op", at, op=operation.op, near=near)
        return
    stated = operation.values()
    for key in form.needs:
        if key not in stated:
            yield source.mistake("tile.op_needs", at, op=operation.op, key=key)
    for key in stated:
        if key not in (*form.needs, *form.may, "optional"):
            yield source.mistake("tile.op_key", at, op=operation.op, key=key)
    yield from _selected(source, operation, at)
    yield from _kept_from(source, effect, operation, at)
    states = {part.id: part.states for part in tile.parts}
    if operation.part and (
        operation.part not in states
        or (operation.state and operation.state not in states[operation.part])
    ):
        part, state = operation.part, operation.state
        yield source.mistake("tile.part_state", at, part=part, state=state)


def _selected(source: Source, operation: Operation, at: Path_) -> Iterator[Message]:
    """Words outside the closed lists: who, which tiles, which pool. Destroyed tiles are in none
    (T.Pool.1)."""
    for key, words in WORDS.items():
        word = str(getattr(operation, key)).removeprefix(ONE if key == "tiles" else "")
        if word and word not in words and not (key in NAMED and re.match(r"name:\w+$", word)):
            known = ", ".join(words)
            yield source.mistake("tile.op_word", at, key=key, word=word, known=known)
    whats = {"extra": EXTRAS, "bar": EXTRAS, "modify": MODIFIED}.get(operation.op, ())
    if whats and operation.what not in (*whats, *PROTECTED):
        known, word = ", ".join(whats), operation.what
        yield source.mistake("tile.op_word", at, key="what", word=word, known=known)
    if operation.where and (operation.op == "search") != (operation.where == "hand"):
        yield source.mistake("tile.hand", at)
    if operation.n != "all" and operation.n is not None and operation.n < 1:
        yield source.mistake("tile.op_count", at, n=operation.n)


def _kept_from(
    source: Source, effect: TileEffect, operation: Operation, at: Path_
) -> Iterator[Message]:
    """What section 0 keeps effects away from (0.1.1, 0.1.8, 0.1.10, 0.1.11), unless they say so and
    are Forbidden (0.1.3)."""
    if operation.what in PROTECTED and PROTECTED[operation.what] not in effect.overrides:
        which = PROTECTED[operation.what]
        yield source.mistake("tile.protected", at, what=operation.what, kept=which)
    if operation.pool == "destroyed" and "0.1.8" not in effect.overrides:
        yield source.mistake("tile.destroyed", at)
    if (operation.turns or 0) > 1 and "0.1.11" not in effect.overrides:
        yield source.mistake("tile.turns", at, turns=operation.turns or 0)
    if operation.turns is not None and operation.turns < 1:
        yield source.mistake("tile.op_count", at, n=operation.turns)
