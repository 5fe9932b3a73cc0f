"""Pages: what every page is shown, as who looks at it may know it."""

import msgspec

from hexboard.board import Board
from hexboard.calibration.in_play import InPlay
from hexboard.daemon.match import Match
from hexboard.daemon.notices import Notices
from hexboard.daemon.simulation import Simulation
from hexboard.game.position import Action
from hexboard.lights.frame import LightSettings, Power
from hexboard.table import TableView
from hexboard.web.files import files
from hexboard.web.requests import NOBODY
from hexboard.web.server import Server
from hexboard.web.sheet import agreed_sheet, board_sheet, shown, table_sheet
from hexboard.words import Message, say


class Pages:
    """The pages of a `server`: the board once a match, the table's state each time it changes."""

    def __init__(self, server: Server, calibration: InPlay, notices: Notices) -> None:
        self.server = server
        self._calibration, self._notices = calibration, notices
        self.stale = True
        """They do not show what is so."""
        self._rev = 0
        self._power = Power()

    def lay_open(self, view: TableView[Action], board: Board) -> None:
        """Let pages ask what this board is like."""
        agreed = agreed_sheet(view.game, board, view.options)
        sheet = board_sheet(view.game, board, view.position) | {"agreed": agreed}
        self.server.files = files(view.game)
        self.server.geometry = msgspec.json.encode(sheet)

    def refresh(
        self,
        match: Match,
        simulation: Simulation | None,
        power: Power,
        lights: LightSettings,
    ) -> None:
        """Show the state of things, where that is new."""
        if not (self.stale or self._notices.changed or power != self._power):
            return
        self.stale = self._notices.changed = False
        self._power = power
        self._rev += 1
        view = match.view
        self.server.seats = len(view.position.seats)
        about = {
            "rev": self._rev,
            "match": match.name,
            "simulated": simulation is not None,
            "watching": simulation is not None and simulation.watching,
            "notices": [say(notice) for notice in self._notices],
            "marks": self._calibration.scene(view.scene),
        }

        def state(side: int) -> bytes:
            sheet = table_sheet(view, side, match.journalled, power, lights)
            return msgspec.json.encode(about | sheet)

        seats = self.server.looking if view.private else set()
        self.server.publish("state", state(NOBODY), {seat: state(seat) for seat in seats})

    def refuse(self, source: str, why: Message, view: TableView[Action]) -> None:
        """Tell one page why not, with names where it has ids."""
        self.server.answer(source, shown(view.game).named(why, view.position))

    def pixels(self, rgb: bytes) -> None:
        """What the lights show, 3 bytes a pixel; from any thread."""
        self.server.publish("pixels", msgspec.json.encode({"type": "pixels", "rgb": rgb}))

    def balls(self, balls: list[tuple[int, float, float]]) -> None:
        """Where the simulated balls are, [number, x, y] in mm; from any thread."""
        self.server.publish("balls", msgspec.json.encode({"type": "balls", "balls": balls}))

    def picture(self, jpeg: bytes) -> None:
        """What the camera sees; from any thread."""
        self.server.picture = jpeg
