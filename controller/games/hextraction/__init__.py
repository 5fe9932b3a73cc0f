"""Hextraction: balls roll down through tiles that people play.

The rules are the Tediously Comprehensive Rules, update 1 (2025-03-08); rule ids in refusals and
events are theirs. A module each: what there is (`state`), balls that are rolled (`rolling`), the
turn (`turn`), votes (`voting`), effects that wait and are resolved (`causes`, `resolving`,
`operations`), what follows by itself until the game is stable (`stabilising`), what may be done
(`moves`), where tiles are (`zones`, `hands`) and may be played (`legality`, `playing`), what points
at them (`individuals`), how they leave (`destroying`, `combos`, `leaving`), who knows what
(`secrets`), how it is written (`text`), and all of that as one `position`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hexboard.appearance import Labels
from hexboard.board import Board
from hexboard.facts import Resume, Start
from hexboard.files import Source
from hexboard.game.fields import FileKind, PagePart
from hexboard.game.game import Game
from hexboard.game.options import Options
from hexboard.games.hextraction.looks import APPEARANCE, SAMPLE
from hexboard.games.hextraction.rules.position import (
    NAME,
    OPTIONS,
    Hextraction,
    earlier_rules,
    parse,
    rules,
    start,
)
from hexboard.games.hextraction.rules.problems import problem
from hexboard.words import Message

PLAYERS = 2
"""For so many the pieces of a board are counted."""


def board(options: Options) -> str:
    """The board it is played on where nobody chose one."""
    return "hextraction-22"


def table(board: Board, begin: Start | Resume) -> object:
    """Its own table: balls roll past sensors there."""
    from hexboard.games.hextraction.table.balls import Balls  # most of the game's weight
    from hexboard.table.core import Table

    return Table(GAME, board, begin, Balls)


def departed(position: Hextraction) -> tuple[int, ...]:
    """The seats that have left while the others play on."""
    return position.conceded if position.scores is None else ()


def own_options(home: Path) -> Options:
    """The tiles that people have registered in hexboard's folder."""
    from hexboard.games.hextraction.tiles.catalogue import own_options

    return own_options(home)


def _is_tile(source: Source) -> bool:
    return str(source.data.get("schema", "")).startswith("hexboard/tile")


def _check_tile(source: Source, boards: Callable[[str], Board]) -> None:
    from hexboard.games.hextraction.tiles.catalogue import load_tile

    load_tile(source.path)


def tile_labels(home: Path) -> Labels:
    """The tiles that carry a marker for cameras: ours, and people's own."""
    from hexboard.games.hextraction.tiles.catalogue import everything, load_own
    from hexboard.games.hextraction.tiles.numbers import number

    tiles = {**everything(), **load_own(home)}
    return Labels(tiles=tuple((tile, number(tile)) for tile in tiles))


def tile_blanks(home: Path) -> Labels:
    """The tiles of the Basic pack, and people's own. Two players want as many as the board has
    slots and three each, and three balls each."""
    from hexboard.games.hextraction.rules.state import BALLS, HAND
    from hexboard.games.hextraction.tiles.catalogue import basic, load_own
    from hexboard.games.hextraction.tiles.drawing import blank

    blanks = tuple(map(blank, ({**basic(), **load_own(home)}).values()))
    return Labels(blanks=blanks, spare_tiles=HAND * PLAYERS, balls=BALLS * PLAYERS)


def shows() -> object:
    """Tiles and balls on the page."""
    from hexboard.games.hextraction.page.sheet import BallSheet

    return BallSheet()


def asked(home: Path, body: bytes) -> Message:
    """Keep a tile that somebody drew on the page."""
    from hexboard.games.hextraction.page.asked import asked

    return asked(home, body)


def stage() -> object:
    """Its simulated board: balls roll there."""
    from hexboard.games.hextraction.simulator.stage import BallStage

    return BallStage()


def evening(*args: Any) -> object:
    """An evening of balls without a clock."""
    from hexboard.games.hextraction.simulator.evening import evening

    return evening(*args)


GAME = Game(
    name=NAME,
    package=__name__,
    rules=rules,
    earlier_rules=earlier_rules,
    board=board,
    start=start,
    parse=parse,
    problem=problem,
    departed=departed,
    options=OPTIONS,
    beginners={"cards": "screen"},
    visible=Hextraction,
    hidden=Hextraction,
    phrased=Hextraction,
    table=table,
    own_options=own_options,
    files=(FileKind("tile", _is_tile, _check_tile),),
    labels={"tiles": tile_labels, "blanks": tile_blanks},
    page=PagePart(script="widgets.js", style="style.css", shows=shows, asked=asked),
    stage=stage,
    evening=evening,
    appearance=APPEARANCE,
    sample=SAMPLE,
)

__all__ = ["GAME", "NAME", "OPTIONS", "Hextraction", "board", "parse", "rules", "start"]
