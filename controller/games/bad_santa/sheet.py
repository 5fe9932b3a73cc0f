"""What the page shows of a game of Bad Santa beside its counters: the sides to be linked."""

from hexboard.board import Board
from hexboard.game.position import Action, Position
from hexboard.games.bad_santa.position import BadSanta
from hexboard.web.sheet import CommonPart, Sheet


class SidesSheet(CommonPart):
    """The family's part of the page."""

    def board(self, board: Board, position: Position[Action]) -> Sheet:
        ours: object = position
        return {"sides": ours.ground.goals} if isinstance(ours, BadSanta) else {}
