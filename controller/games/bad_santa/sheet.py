"""What the page shows of a game of Bad Santa beside its counters: the sides to be linked."""

from hexboard.board import Board
from hexboard.games.bad_santa.position import BadSanta
from hexboard.web.sheet import CommonPart, Sheet


class SidesSheet(CommonPart[BadSanta]):
    """The family's part of the page."""

    def board(self, board: Board, position: BadSanta) -> Sheet:
        return {"sides": position.ground.goals}
