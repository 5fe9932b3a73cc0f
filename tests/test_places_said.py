"""Where people say that balls lie, they lie, whatever else was likelier."""

from hexboard.facts import Scanned, Snapshot
from hexboard.games.hextraction.rules.state import Placed
from tests.desk import Desk

LAID = """A1:Z:0 A2:DC:3 A3:Asterisk:2 A4:S:0 B1:Asterisk:5 B2:Asterisk:0 B3:X:4 B4:DC:1 B5:DC:0
C1:X:0 C2:DIC:3 C3:X:0 C4:DIC:0 D1:Asterisk:5 D2:Asterisk:1 D3:J:0 D4:Peace:3 D5:J:3 E1:X:2
E2:Asterisk:4 E3:DIC:0 E4:DIC:0"""
TILES = {
    slot: Placed(tile, int(turned) % 6)
    for slot, tile, turned in (one.split(":") for one in LAID.split())
}


def passes(desk: Desk, *signs: tuple[str, int, int]) -> None:
    """Each sensor feels a ball for so many ms, and so many go by until the next one does."""
    for sensor, felt, after in signs:
        desk.level(sensor, True)
        desk.now += felt
        desk.level(sensor, False)
        desk.now += after


def test_a_ball_of_which_people_said_where_it_lies_stays_there_in_the_next_roll() -> None:
    """The Pico looks so seldom (every 18.5 ms) that most of what a ball does goes unseen: it may be
    in C1, in B1 again, or further. It lies in B1, people say; then another ball rolls elsewhere.
    (Of evening 832766 of tests.simulation, where ball 1 came to rest in C1 by that.)"""
    desk = Desk(TILES)
    desk.feed(Scanned(20_000, 18_518))
    desk.feed(Snapshot(("rail:main", *(f"seat:{slot}" for slot in TILES))))
    passes(desk, ("load:B1-2", 350, 14), ("gate:B1-2", 8, 292), ("edge:B1-C1", 6, 10))
    desk.settle()
    desk.wait(3000)  # a source that looks so seldom is waited for
    assert desk.table.asking is not None
    rests = [dict(choice.message.values).get("rests") for choice in desk.table.asking.choices]
    assert rests.index("C1") < rests.index("B1")  # it is likelier
    desk.decide(f"reading {rests.index('B1') + 1}")
    desk.declare("clear B5")
    desk.level("seat:B5", False)
    desk.wait(500)
    desk.declare("play Asterisk B5 0")
    desk.level("seat:B5", True)
    desk.wait(500)

    desk.feed(Scanned(80_000, 18_518))
    passes(desk, ("load:D1-1", 350, 14), ("gate:D1-1", 8, 180))
    passes(desk, ("edge:D1-D2", 6, 244), ("edge:C2-D2", 6, 350))
    desk.level("edge:C2-D3", True)
    desk.settle()
    assert "hextraction.settled" in desk.keys
    assert [ball.place for ball in desk.position.balls] == ["B1", "C2-D3"]
