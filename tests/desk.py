"""A table on a desk: facts by hand, in milliseconds, and what came of them."""

from collections.abc import Iterable

from hexboard.board import Board, find, load
from hexboard.facts import MS, Body, Decide, Declare, Edge, Fact, Resume, Ruling, Start, Watermark
from hexboard.games import hextraction
from hexboard.games.hextraction.rules.position import Hextraction, Placed
from hexboard.games.hextraction.table.balls import Balls
from hexboard.table.core import Table
from hexboard.table.effects import Commit, Corrected, Effect, Refuse, Tell
from hexboard.words import Message

BOARD = load(find("hextraction-22"))
SLOTS = tuple(cell.id for cell in BOARD.cells)
OPEN = Placed("Asterisk", 0)
"""A tile without walls: every edge leads to every other."""
WIDTH = 8
"""How long a ball passing is over a sensor, ms."""
SETTLE = 1500


def start(**options: int | str | bool) -> Start:
    chosen: dict[str, int | str | bool] = {"settle_ms": SETTLE, **options}
    return Start("m", BOARD.name, BOARD.hash, "hextraction", hextraction.rules(), chosen, "test")


class Desk:
    """A table, the time on its clock (ms), and every effect so far."""

    def __init__(
        self,
        tiles: Iterable[str] | dict[str, Placed] = (),
        begin: Start | Resume | None = None,
        board: Board = BOARD,
    ) -> None:
        self.table = Table(hextraction.GAME, board, begin or start(), Balls)
        assert isinstance(self.table.sensing, Balls)
        self.balls = self.table.sensing
        self.board, self.now = board, 1000
        self.effects: list[Effect] = []
        self._n = 0
        placed = tiles if isinstance(tiles, dict) else dict.fromkeys(tiles, OPEN)
        if placed:
            position = self.position
            for slot, tile in placed.items():
                position = position.with_tile(slot, tile)
            self.rule(f"position {position}")

    @property
    def position(self) -> Hextraction:
        return self.balls.believed.position

    # ------------------------------------------------------------------------------------ facts

    def feed(
        self, body: Body, at: int | None = None, t: int | None = None, source: str = "pico"
    ) -> list[Effect]:
        """One fact that happened at `at` and arrived at `t` (ns; now unless told)."""
        self._n += 1
        at = self.now * MS if at is None else at
        effects = self.table.step(Fact(self._n, at if t is None else t, at, source, body))
        self.effects += effects
        return effects

    def rule(self, do: str, why: str = "") -> list[Effect]:
        return self.feed(Ruling(do, "host", why), source="page")

    def declare(self, action: str, seat: int = 0) -> list[Effect]:
        return self.feed(Declare(seat, action), source="page")

    def decide(self, choice: str) -> list[Effect]:
        assert self.table.asking is not None
        return self.feed(Decide(self.table.asking.id, choice), source="page")

    def level(self, sensor: str, level: bool) -> list[Effect]:
        return self.feed(Edge(sensor, level))

    def pulse(self, *sensors: str, every: int = 200) -> None:
        """Balls pass these sensors, one every so many ms."""
        for sensor in sensors:
            self.level(sensor, True)
            self.now += WIDTH
            self.level(sensor, False)
            self.now += every - WIDTH

    def wait(self, ms: int) -> list[Effect]:
        """Nothing happens for so long, and the board says so."""
        self.now += ms
        return self.feed(Watermark(self.now * MS))

    def settle(self) -> list[Effect]:
        return self.wait(SETTLE + 100)

    # ------------------------------------------------------------------------------ what came of it

    @property
    def told(self) -> list[Message]:
        return [m for effect in self.effects if isinstance(effect, Tell) for m in effect.messages]

    @property
    def keys(self) -> list[str]:
        return [message.key for message in self.told]

    @property
    def refused(self) -> list[str]:
        return [effect.message.key for effect in self.effects if isinstance(effect, Refuse)]

    @property
    def corrected(self) -> list[Message]:
        return [effect.why for effect in self.effects if isinstance(effect, Corrected)]

    @property
    def commits(self) -> list[Commit]:
        return [effect for effect in self.effects if isinstance(effect, Commit)]

    @property
    def todo(self) -> list[str]:
        """The cells that people must still change."""
        return [todo.cell for todo in self.table.todo]

    def flags(self) -> tuple[bool, bool]:
        """Offline, Overdrive."""
        return self.position.offline, self.position.overdrive

    @property
    def choices(self) -> list[str]:
        """The answers of the open question."""
        asking = self.table.asking
        return [choice.name for choice in asking.choices] if asking else []
