"""What the page shows of a war beside its pieces: the sectors of the map."""

from hexboard.board import Board
from hexboard.game.position import Action, Position
from hexboard.games.knee_deep.position import KneeDeep
from hexboard.web.sheet import CommonPart, Sheet


class SectorsSheet(CommonPart):
    """Knee Deep's part of the page."""

    def board(self, board: Board, position: Position[Action]) -> Sheet:
        ours: object = position
        if not isinstance(ours, KneeDeep):
            return {}
        pairs = zip(ours.setting.ground.ids, ours.setting.ground.sector, strict=True)
        return {"areas": {field: sector for field, sector in pairs if sector}}
