"""Knee Deep in Hexes as a game module: how to start and read it, and which rules it is."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from msgspec.structs import replace

from hexboard.board import Board
from hexboard.files import chosen_file
from hexboard.game.game import Figure
from hexboard.game.options import Options, choose
from hexboard.games.knee_deep import moves, steps, text
from hexboard.games.knee_deep.boxes import box
from hexboard.games.knee_deep.figures import figures as numbers
from hexboard.games.knee_deep.figures import texts
from hexboard.games.knee_deep.ground import PLAIN, board_of, ground, redrawn
from hexboard.games.knee_deep.position import KneeDeep
from hexboard.games.knee_deep.setting import AS_MAPPED, DRAWN, NAME, OPTIONS, Setting
from hexboard.games.knee_deep.state import NOBODY, UNLAID
from hexboard.games.knee_deep.turn import PHASES, go
from hexboard.games.knee_deep.values import KINDS, SURENESS, shipped
from hexboard.words.errors import BadText


def rules() -> str:
    """What a recording is tied to: the rules text, our stage of it, our numbers and rulings."""
    return _version(2)


def earlier() -> tuple[str, ...]:
    """In stage 1 a card could be played where only a part of it could be done: it counted itself as
    its own discard, one unit in the supply was enough for two, and a war card with nothing to
    include or destroy kept its combat (KDH-3.11)."""
    return (_version(1),)


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
    in_turn = PHASES.index(phase) >= PHASES.index("power_up")
    if not over and in_turn != (position.round > 0):
        yield "round"
    war = phase in ("lay", "answer", "reveal", "resolve", "damage")
    if war and position.marker == NOBODY:
        yield "marker"
        return
    if not war and not over and position.laid != (UNLAID, UNLAID):
        yield "laid"
    if not over:
        yield from _stuck(position, chosen)


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
        if step.card and step.index >= len(steps.effects(position, step)):
            yield "queue"
            return
    if position.phase in ("lay", "answer", "reveal", "resolve", "damage"):
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
