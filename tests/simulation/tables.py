"""Tables: the boards that evenings are played on, and the games that suit each."""

import tempfile
from pathlib import Path
from random import Random

from msgspec import Struct

from hexboard.board import Board, find, load
from hexboard.game.options import Options

CELLS = '\n[[sensors]]\nkind = "seat"\nsource = "pico"\nfirst_input = 0\nmin_high_us = 20000\n'


class Table(Struct, frozen=True):
    """A board by its name, and what is played on it; `taps`: it feels fingers."""

    board: str
    games: tuple[str, ...]
    taps: bool = False
    lasts_s: int = 9
    """The longest that a life lasts in which nothing is mended: a roll takes its time."""

    def load(self) -> Board:
        if not self.taps:
            return load(find(self.board))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tapped.toml"
            path.write_text(find(self.board).read_text("utf-8") + CELLS, "utf-8")
            return load(path)


TAPPED = Table("hexhex-5", ("hexalma", "hexel"), taps=True)
DICE = Table("rhombus-11", ("bad-santa-hex", "bad-santa-y"))
CARDS = Table("table", ("hexel",))
WAR = Table("flowers-31", ("knee-deep", "hexel"))
TILES = Table("hextraction-22", ("hextraction",), lasts_s=40)
TABLES = (*[TAPPED] * 3, *[DICE] * 3, *[CARDS] * 2, WAR, *[TILES] * 3)
"""As often as each is played on: war costs most."""


def agreed(game: str, dice: Random) -> Options:
    """What is agreed on before a game, of one evening: hexboard deals."""
    if game == "hexel":
        return {"hands": "dealt", "seats": dice.randint(2, 4)}
    return {}
