"""`hexboard calibrate rehearsal`: how often people will be asked, by a simulation of their set-up.

The camera stands in it where it was put up, with its own lens; the pieces have the colours and
sizes that were learned, the paper is as bright as it was.
"""

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from hexboard.commands import JSON, PICTURE, board_named, game_named, looks, tell
from hexboard.commands.calibrate.person import LAN, PAGE, page_of
from hexboard.words import Message, message, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from hexboard.appearance import Kit, Look, Lying
    from hexboard.board import Board
    from hexboard.calibration.placement import Placement
    from hexboard.daemon.at_bench import BenchPage
    from hexboard.facts import CellCosts
    from hexboard.game.game import AnyGame
    from hexboard.game.position import Action, Touched
    from hexboard.simulator.camera.tabletop import Tabletop
    from hexboard.vision.cells.reading import Reader
    from hexboard.vision.geometry import Camera


LOOKS = 20
"""Boards that are strewn with pieces at random."""
FULL = 0.5
"""The share of their cells in which something lies."""
MOVES = 40
STRETCH, APART = 10, 30
"""So many moves on end are looked at, then so many are played unseen: a game's beginning is no
sample of all of it."""
LOOKED = 3
"""Pictures of a move before people are asked."""
MOST_ASKED = 0.3
"""Of the moves: with more it is no play."""
LEAST_SURE = 0.6
"""Of what lies there must be told: with less it is no play."""
SURE, FAIR = 0.9, 0.6
"""The shares of its pieces that a cell on the map tells, from which on it is green, or yellow."""
GREEN, YELLOW, RED = (
    ("bold green", "#8fd19e", "good"),
    ("bold yellow", "#ffe08a", "fair"),
    ("bold red", "#f1a1a8", "poor"),
)
"""Of the map: in a terminal, in a picture, and what the page calls it."""
SEED = 1


class Rehearsal(Struct, frozen=True):
    """How a set-up does in a simulation."""

    cells: dict[str, float]
    """Of each cell the share of its pieces, and of none, that were told surely."""
    moves: int
    """0 for a game whose moves hang on chance or on what is hidden."""
    asked: int
    """Of those, how many had to be asked about, or were not noticed."""
    wrong: int
    """How many were taken for another."""

    @property
    def sure(self) -> float:
        return sum(self.cells.values()) / len(self.cells)

    @property
    def fit(self) -> bool:
        """Whether that can be played."""
        return self.sure >= LEAST_SURE and self.asked <= MOST_ASKED * self.moves


@click.command()
@click.argument("board", required=False)
@click.option("--game", help="Which game. Default: the one that the board is for.")
@click.option("--simulate", is_flag=True, help="A simulated board under a simulated camera.")
@click.option("-o", "--output", type=PICTURE, help="x.svg: the map as a picture.")
@PAGE
@LAN
@JSON
@click.pass_obj
def rehearsal(
    home: Path,
    board: str | None,
    game: str | None,
    simulate: bool,
    output: Path | None,
    page: bool,
    lan: bool,
    as_json: bool,
) -> None:
    """See how well each cell of a BOARD tells its pieces apart, and how often people will be asked.

    Exit status 1: it cannot be played like this.
    """
    from hexboard import settings
    from hexboard.calibration import colours, lens_file, placement
    from hexboard.files import whole
    from hexboard.simulator.camera.render import view
    from hexboard.words.errors import BadText

    chosen = settings.load(home / "settings.toml")
    named = board or chosen.board
    which, game = board_named(home, named), game_named(home, chosen, named, game)
    path = placement.place(home, which, simulate)
    if not path.exists():
        raise BadText("rehearsal.no_place", board=which.name)
    found = placement.load(path)
    if placement.stale(found, path):
        raise BadText("placement.lens", board=which.name)
    camera = view(which)[0] if simulate else lens_file.load(lens_file.path(home)).camera
    kit = colours.kit(colours.place(home, which), which)
    with page_of(which, chosen, page, lan) as bench:
        if bench is not None:
            _wait(bench)
        told = rehearsed(which, game, camera, found, kit)
        if output:
            whole(output, picture(which, told).encode())
        lines = _report(told, found, which, game, as_json)
        if bench is not None:
            _stay(bench, told, lines)
    raise SystemExit(0 if told.fit else 1)


def rehearsed(
    board: "Board", game: str, camera: "Camera", found: "Placement", kit: "Kit"
) -> Rehearsal:
    """Rehearse a game under a camera that was put up. Raises `BadText` where that cannot be."""
    from hexboard.calibration import placement
    from hexboard.game import registry
    from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
    from hexboard.vision.cells.reading import Reader
    from hexboard.words.errors import BadText

    kinds = looks(game)
    if any(look.tile for look in kinds):
        raise BadText("rehearsal.tiles", game=game)
    pose = placement.pose(found)
    mood = _mood(MODERATE, found.paper, kit)
    top = Tabletop(board, camera, pose, SEED, mood, kit)
    reader = Reader(board, kinds, camera, pose, kit)
    return Rehearsal(
        _strewn(board, kinds, top, reader), *_played(board, registry.find(game), top, reader)
    )


def _mood(usual: Any, paper: tuple[float, float], kit: "Kit") -> Any:
    """A room's light, with the paper as bright as it was and as unevenly lit."""
    from msgspec.structs import replace

    from hexboard.simulator.camera.tabletop import EXPOSURE

    dark, bright = paper
    gain = (dark + bright) / 2 / EXPOSURE / (sum(kit.paper) / 3)
    return replace(usual, gradient=(bright - dark) / (bright + dark), gain=(gain, gain))


def _strewn(
    board: "Board", kinds: "tuple[Look, ...]", top: "Tabletop", reader: "Reader"
) -> dict[str, float]:
    """How often what lay in each cell was told surely."""
    from hexboard.appearance import NEVER, Look, Lying

    random, sure = Random(SEED), dict.fromkeys((cell.id for cell in board.cells), 0)
    codes = [
        code
        for code, look in enumerate(kinds)
        if look not in (Look(), NEVER) and not look.marker  # one stands beside a cell
    ]
    bare = kinds.index(Look())

    def lying(look: "Look") -> "Lying":
        stack = random.choice(look.stacks) if look.stacks else ()
        return Lying(stack, look.face, look.unit)

    for _ in range(LOOKS):
        truth = [random.choice(codes) if random.random() < FULL else bare for _ in sure]
        things = zip(sure, truth, strict=True)
        top.put({cell: lying(kinds[code]) for cell, code in things if code != bare})
        seen = reader.read(top.picture()).cells
        for cell, code, told in zip(sure, truth, seen, strict=True):
            sure[cell] += _sure(told, code)
    return {cell: count / LOOKS for cell, count in sure.items()}


def _sure(told: "CellCosts", code: int) -> bool:
    """Whether a cell speaks for what lies there, as it has to for a move."""
    from hexboard.perception.inference import SAYS_CNAT

    costs = dict(told)
    others = [cost for other, cost in costs.items() if other != code]
    return costs.get(code) == 0 and min(others, default=SAYS_CNAT) >= SAYS_CNAT


def _played(
    board: "Board", module: "AnyGame[Action]", top: "Tabletop", reader: "Reader"
) -> tuple[int, int, int]:
    """Moves of a game at random; how many of them had to be asked about, and were taken wrong."""
    from hexboard.game import registry
    from hexboard.perception.inference import infer, mean

    if module.touched is None:
        return 0, 0, 0
    cells, random = [cell.id for cell in board.cells], Random(SEED)
    moves = asked = wrong = 0

    def put(position: "Touched[Action]") -> None:
        top.put(registry.appearance(module.name).things(position, board))

    with registry.used(module.name):
        position = module.touchable(module.begin(board, {}))
        before: tuple[CellCosts, ...] = ()
        while moves < MOVES and position.legal:
            if not before:
                put(position)
                before = reader.read(top.picture()).cells
            after = position.play(random.choice(list(position.legal)))
            if after.seen() != position.seen():  # no pass, no bet, no die that is rolled again
                put(after)
                seen = [reader.read(top.picture()).cells]
                verdict = infer(cells, [position], before, seen[0])
                if verdict.kind != "accept":
                    seen += [reader.read(top.picture()).cells for _ in range(LOOKED - 1)]
                    verdict = infer(cells, [position], before, mean(seen))
                accepted, before = verdict.kind == "accept", mean(seen)
                moves, asked = moves + 1, asked + (not accepted)
                wrong += accepted and verdict.lines[0].position != after
                if moves % STRETCH == 0:
                    before, after = (), _further(after, random)
            position = after
    return moves, asked, wrong


def _further(position: "Touched[Action]", random: Random) -> "Touched[Action]":
    """So many random moves later, or as near to that as the game goes."""
    for _ in range(APART):
        moves = list(position.legal)
        after = position.play(random.choice(moves)) if moves else position
        if not after.legal:
            break
        position = after
    return position


# -------------------------------------------------------------------------------------- the map


def drawn(board: "Board", told: Rehearsal) -> "Text":
    """The map in a terminal: of a hundred pieces in each cell, how many it tells surely."""
    from hexboard.commands.terminal import grid

    shares = told.cells.items()
    return grid(board, {cell: (f"{share * 100:.0f}", _tint(share)[0]) for cell, share in shares})


def picture(board: "Board", told: Rehearsal) -> str:
    """The map as an SVG picture."""
    from hexboard.board.svg import svg

    over = []
    for cell, share in told.cells.items():
        corners = " ".join(f"{x},{-y}" for x, y in board.corners(cell))
        x, y = board.cell[cell].x, -board.cell[cell].y
        over.append(f'<polygon points="{corners}" fill="{_tint(share)[1]}" stroke="#8a94a6"/>')
        over.append(f'<text x="{x}" y="{y}">{cell}</text>')
        over.append(f'<text class="name" x="{x}" y="{y + 8}">{share:.0%}</text>')
    return svg(board, over)


def _tint(share: float) -> tuple[str, str, str]:
    return GREEN if share >= SURE else YELLOW if share >= FAIR else RED


def _report(
    told: Rehearsal, found: "Placement", board: "Board", game: str, as_json: bool
) -> list[Message]:
    """Say what came of it; the same in lines, without the map."""
    import msgspec

    from hexboard.commands.calibrate.placement import doubts

    why, lines = doubts(found, board), list(_sentences(told, game))
    if as_json:
        figures = {**msgspec.to_builtins(told), "sure": round(told.sure, 3), "fit": told.fit}
        tell(True, figures | {"doubts": [say(doubt) for doubt in why]})
        return [*lines, *why]
    from rich.console import Console

    Console(highlight=False).print(drawn(board, told), end="", soft_wrap=True)
    tell(False, {}, *map(say, lines), *(f"  {say(doubt)}" for doubt in why))
    return [*lines, *why]


def _sentences(told: Rehearsal, game: str) -> "Iterator[Message]":
    yield message("rehearsal.sure", share=f"{told.sure:.0%}", game=game)
    if low := [cell for cell, share in told.cells.items() if share < FAIR]:
        yield message("rehearsal.low", cells=", ".join(low))
    if told.moves:
        yield message("rehearsal.moves", moves=told.moves, asked=told.asked, wrong=told.wrong)
    yield message("rehearsal.fit" if told.fit else "rehearsal.unfit", game=game)


# ------------------------------------------------------------------------------------- the page


def _wait(bench: "BenchPage") -> None:
    """Say on the page that there is nothing to do yet."""
    from hexboard.calibration.person import Screen
    from hexboard.daemon.at_bench import AtBench

    AtBench(bench, dict).see(Screen(message("rehearsal.plays"), "nothing"))


def _stay(bench: "BenchPage", told: Rehearsal, lines: list[Message]) -> None:
    """Show the map on the page until somebody has seen it."""
    shares = told.cells.items()
    bench.end(lines, {cell: (f"{share:.0%}", _tint(share)[2]) for cell, share in shares})
    click.echo(say(message("rehearsal.stays")), err=True)
    with suppress(KeyboardInterrupt):
        while bench.words.get().say != "q":
            pass
