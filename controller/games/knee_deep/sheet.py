"""What the page shows of a war beside its pieces: the sectors of the map."""

from hexboard.board import Board
from hexboard.games.knee_deep.position import KneeDeep
from hexboard.web.sheet import CommonPart, Sheet


class SectorsSheet(CommonPart[KneeDeep]):
    """Knee Deep's part of the page."""

    def board(self, board: Board, position: KneeDeep) -> Sheet:
        ground = position.setting.ground
        pairs = zip(ground.ids, ground.sector, strict=True)
        return {"areas": {field: sector for field, sector in pairs if sector}}
