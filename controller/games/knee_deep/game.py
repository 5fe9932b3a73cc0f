"""Knee Deep in Hexes as a game module: how to start and read it, and which rules it is."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from msgspec.structs import replace

from hexboard.board import Board
from hexboard.files import chosen_file
from hexboard.game.fields import Figure
from hexboard.game.options import Options, choose
from hexboard.games.knee_deep import moves, peeks, steps, text
from hexboard.games.knee_deep.boxes import box
from hexboard.games.knee_deep.cards import UNKNOWN
from hexboard.games.knee_deep.figures import figures as numbers
from hexboard.games.knee_deep.figures import texts
from hexboard.games.knee_deep.ground import PLAIN, board_of, ground, redrawn
from hexboard.games.knee_deep.position import KneeDeep
from hexboard.games.knee_deep.setting import AS_MAPPED, DRAWN, NAME, OPTIONS, Setting
from hexboard.games.knee_deep.state import NAMES, NOBODY, UNLAID, WAR
from hexboard.games.knee_deep.turn import PHASES, go
from hexboard.games.knee_deep.values import KINDS, SURENESS, shipped
from hexboard.words import Message, message
from hexboard.words.errors import BadText


def rules() -> str:
    """What a recording is tied to: the rules text, our stage of it, our numbers and rulings."""
    return _version(3)


def earlier_rules() -> dict[str, Options]:
    """In stage 1 a card could be played where only a part of it could be done: it counted itself as
    its own discard, one unit in the supply was enough for two, and a war card with nothing to
    include or destroy kept its combat (KDH-3.11). Up to stage 2 nothing was journalled in
    the middle of a card; what goes on is journalled at each choice, and a recording says itself
    which of both hexboards made it."""
    return {_version(2): {}, _version(1): {}}


def _version(stage: int) -> str:
    rulings = [f"{option.name}={option.default}" for option in OPTIONS]
    numbers = [f"{name}={value}" for name, (value, _) in sorted(shipped().items())]
    digest = blake2b(" ".join(rulings + numbers).encode(), digest_size=4)
    return f"knee-deep V1.02 {stage} {digest.hexdigest()}"


def board(options: Options) -> str:
    """The board it is played on where nobody chose one: that of its map."""
    return board_of(str(options.get("map", "flowers-31")))


def figures(board: Board, options: Options) -> tuple[Figure, ...]:
    """The map, every number, and what the cards say, with how sure each is."""
    chosen = setting(board, options)
    laid = chosen.ground
    title = Figure("map", laid.title, SURENESS[laid.status])
    return (title, *numbers(chosen.box), *texts(chosen.box))


def setting(board: Board, options: Options) -> Setting:
    """Raises `BadText` and `BadFile` for what cannot be agreed on."""
    chosen: dict[str, Any] = choose(NAME, OPTIONS, options)
    terrain = chosen["terrain"]
    if terrain not in (AS_MAPPED, DRAWN) and chosen_file(terrain) is None:
        raise BadText("knee_deep.no_terrain", name=terrain[:60])
    laid = ground(chosen.pop("map"), board, terrain)
    return Setting(laid, box=box(chosen.pop("box")), **chosen)


def start(board: Board, options: Options | None = None) -> KneeDeep:
    """An empty battlefield; Gondwana chooses its companions first. Raises `BadText`, `BadFile`."""
    chosen = setting(board, options or {})
    phase = "terrain" if chosen.terrain == DRAWN else "companions"
    return KneeDeep(chosen, phase, bytes(len(chosen.ground.ids)), (b"", b""))


def parse(line: str, board: Board, options: Options | None = None) -> KneeDeep:
    """The position that `str` wrote. Raises `BadText` for anything else, naming what is wrong."""
    chosen = setting(board, options or {})
    fields = text.read(line, chosen)
    laid = redrawn(chosen.ground, fields.pop("terrain"))
    chosen = replace(chosen, ground=laid)
    for wrong in _wrong(fields, chosen):
        raise BadText("knee_deep.cannot_be", part=wrong)
    unseen = text.unseen(fields, chosen, 0), text.unseen(fields, chosen, 1)
    position = KneeDeep(chosen, unseen=unseen, **fields)
    for wrong in _out_of_step(position):
        raise BadText("knee_deep.cannot_be", part=wrong)
    return position


def sectors(position: KneeDeep) -> dict[str, str]:
    """The sector of each field (`Game.areas`)."""
    return position.setting.ground.sectors


def problem(position: KneeDeep) -> Message | None:
    """Why a written position could not come about (`Game.problem`); None where it looks so."""
    return None if position.phase == "over" else next(_unlikely(position), None)


def _unlikely(position: KneeDeep) -> Iterator[Message]:
    """What is there too early, too late or without a cause."""
    chosen, phase = position.setting, position.phase
    fresh = KneeDeep(chosen, phase, bytes(len(position.units)), (b"", b""))
    early, left = (
        [key for key in keys if getattr(position, key) != getattr(fresh, key)]
        for keys in (BEFORE, AFTERWARDS)
    )
    if PHASES.index(phase) < PHASES.index("power_up") and early:
        yield message("knee_deep.too_early", "KDH-2.1", part=early[0])
    if phase not in WAR and left:
        yield message("knee_deep.no_war_now", "KDH-8.11", part=left[0])
    first = position.round == 1 and position.active == position.starter
    unplaced = phase == "mark" or (first and phase != "exhaust")
    if position.marker != NOBODY and (unplaced or position.marker_of not in _markers(position)):
        yield message("knee_deep.marker_too_early", "KDH-9.1")
    for seat in (0, 1):
        if position.companions[seat] and position.hq_hp(seat) <= 0:
            yield message("knee_deep.fallen", "KDH-11.1", seat=NAMES[seat])
    if any(position.hurt) and chosen.hq_damage == "whole":
        yield message("knee_deep.hurt_whole", "KDH-A3")
    if phase not in WAR and any(uses.war for uses in position.uses):
        yield message("knee_deep.no_war_now", "KDH-8.11", part="uses")
    if {*position.used} - {*position.companions[position.active]}:
        yield message("knee_deep.not_theirs", "KDH-4.2")
    if position.quiet > 2 * position.round:
        yield message("knee_deep.too_quiet", "KDH-A21", count=position.quiet)
    if chosen.terrain != DRAWN and chosen.ground.terrain != chosen.ground.printed:
        yield message("knee_deep.other_terrain", "KDH-1.3")


def _markers(position: KneeDeep) -> tuple[int, ...]:
    """Whose marker can be on the board: the enemy's, or the one just placed."""
    active = position.active
    return (active,) if position.phase == "exhaust" else (1 - active,)


BEFORE = (
    *("units", "scrap", "hurt", "material", "energy", "changes", "used", "uses", "quiet"),
    *("top", "look"),
)
"""What there is from the first turn on."""
AFTERWARDS = ("shown", "bonus", "prevented", "included", "excluded", "surplus", "victor")
"""What belongs to one war."""


def _wrong(fields: dict[str, Any], chosen: Setting) -> Iterator[str]:
    """The names of values that no position has."""
    if (fields["marker"] == NOBODY) != (fields["marker_of"] == NOBODY):
        yield "marker"
    for field, unit in enumerate(fields["units"]):
        if unit and chosen.ground.terrain[field] != PLAIN:
            yield "units"
    if any(not fields["units"][f] for f in (*fields["included"], *fields["excluded"])):
        yield "included"


def _out_of_step(position: KneeDeep) -> Iterator[str]:
    """The names of values that do not go together."""
    chosen, phase = position.setting, position.phase
    begun = PHASES.index(phase) >= PHASES.index("deal")
    over = phase == "over"
    if over != (position.winner != NOBODY):
        yield "winner"
        return
    if not over and (position.starter != NOBODY) != begun:
        yield "starter"
    if not over and not _companions_fit(position):
        yield "companions"
        return
    if any(position.supply(seat, kind) < 0 for seat in (0, 1) for kind in range(len(KINDS))):
        yield "units"
    if any(position.pile(seat) < 0 for seat in (0, 1)):
        yield "hands"
    if any(_no_top(position, seat) for seat in (0, 1)):
        yield "top"
    if not peeks.fits(position):
        yield "look"
    if any(not steps.limited(position, uses) for uses in position.uses):
        yield "uses"
    in_turn = PHASES.index(phase) >= PHASES.index("power_up")
    if not over and in_turn != (position.round > 0):
        yield "round"
    war = phase in WAR
    own = position.marker_of == position.active and phase in ("power_up", "act", *WAR)
    if (war and position.marker == NOBODY) or own:  # it is the enemy's that is dealt with (KDH-8)
        yield "marker"
        return
    if not war and not over and position.laid != (UNLAID, UNLAID):
        yield "laid"
    if not over:
        yield from _stuck(position, chosen)


def _no_top(position: KneeDeep, seat: int) -> bool:
    """Whether no pile has that on top: more than it holds, or what only a view does not know."""
    top = position.top[seat]
    known = not top.count(UNKNOWN) if position.eyes == NOBODY else not any(top)
    return len(top) > position.pile(seat) or not known or bool(top and position.setting.held)


def _companions_fit(position: KneeDeep) -> bool:
    """Gondwana chooses first, then Bukseon; afterwards both have two."""
    chosen = tuple(bool(types) for types in position.companions)
    if position.phase == "terrain":
        return position.active == 0 and chosen == (False, False)
    if position.phase == "companions":
        return chosen == (position.active == 1, False)
    return chosen == (True, True)


def _stuck(position: KneeDeep, chosen: Setting) -> Iterator[str]:
    """A position in which the game would have gone on by itself, or nobody can do anything."""
    for step in position.queue:
        if step.card and not steps.known(position, step):
            yield "queue"
            return
    if position.phase in WAR:
        order = {"lay": 0, "answer": 1}.get(position.phase, 2)
        if sum(card != UNLAID for card in position.laid) != order:
            yield "laid"
            return
    if position.phase == "damage" and position.victor == NOBODY:
        yield "victor"
        return
    if any(step.picked != NOBODY and not position.units[step.picked] for step in position.queue):
        yield "queue"
        return
    if go(position) != position or not moves.legal(position):
        yield "phase"
