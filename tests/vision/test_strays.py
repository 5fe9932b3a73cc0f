"""The light of an evening from end to end: pictures, readings, the table, and pictures again."""

import msgspec
import pytest
from msgspec.structs import replace

from hexboard.appearance import KIT, discs
from hexboard.board import plain
from hexboard.facts import MS, Fact, Report, Start
from hexboard.game import registry
from hexboard.simulator.camera.render import view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.table import open_table
from hexboard.vision.device import PACE_NS, Watcher
from hexboard.vision.eye import Eye
from hexboard.vision.shot import Shot, differing, reread
from tests.looking import looks

BOARD = plain("hexhex-5")
PIECES = tuple((0.06 + 1.1 * b, 0.05 + g, 0.05 + r) for b, g, r in KIT.pieces)


def ignored(what: object) -> None:
    """Pictures for people and wishes for lights."""


@pytest.mark.long
def test_readings_teach_the_table_and_the_table_the_reader_and_all_of_it_is_repeated() -> None:
    """Pieces that look otherwise by lamplight. A second table that is fed the same facts learns the
    same; each picture that was kept is read again to the very costs of its moment."""
    game = registry.find("hexalma")
    camera, pose = view(BOARD)
    top = Tabletop(BOARD, camera, pose, 3, MODERATE, replace(KIT, pieces=PIECES))
    start = Start("m", BOARD.name, BOARD.hash, "hexalma", game.rules(), {}, "test")
    one, other = open_table(BOARD, start), open_table(BOARD, start)
    said, shots, n = list[Report](), list[Shot](), 0
    eye = Eye(BOARD, looks("hexalma"), camera)
    watcher = Watcher(eye, "camera", said.append, ignored, ignored, shots.append)
    top.put(discs(game.touchable(one.position).seen(), looks("hexalma"), BOARD))
    for frame in range(30):
        watcher.look(top.picture(), frame * PACE_NS)
        for report in said:
            n += 1
            fact = Fact(n, n * 100 * MS, report.at, "camera", report.body)
            assert one.step(fact) == other.step(fact)
        said.clear()
        pieces = one.view().pieces
        assert pieces is not None
        eye.tint = pieces.tint
    assert eye.tint.version >= 2
    assert one.view().pieces == other.view().pieces
    kept = [msgspec.json.decode(msgspec.json.encode(shot), type=Shot) for shot in shots]
    assert len({shot.tint.version for shot in kept}) >= 2
    for shot in kept:
        assert differing(shot.cells, reread(shot, BOARD, looks("hexalma"), KIT)) == ()
    last = kept[-1]
    assert reread(last, BOARD, looks("hexalma"), KIT) == last.cells
    assert reread(replace(last, tint=kept[0].tint), BOARD, looks("hexalma"), KIT) != last.cells
