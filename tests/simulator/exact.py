"""The exact posterior of a roll on a small board, by brute force: every state, nothing left out.

A filter over the joint state of all balls and all that was touched, written from the rules of
motion (`roll.py` beside it) with plain probabilities; it shares nothing with the
tracker. What it leaves out: when signs came (only their order counts), speed (a ball climbs one
time in 25 where no way leads down), and balls that lay there before.
"""

from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from hexboard.board import Board, CellId, Edge, find, load, opposite, sensor_places
from hexboard.games.hextraction.rules.position import Placed
from hexboard.games.hextraction.tiles.catalogue import basic
from hexboard.games.hextraction.tiles.tile import HEIGHT
from tests.simulator.trials import Ruled, Trial

STICK, JAM, LEAN, KNOCK, CLIMB = 0.01, 0.01, 0.5, 0.5, 0.04
RELEASED = 0.5
"""How likely it is before anything is sensed that a ball is released in a lane."""
TINY = 1e-9

Ball = tuple[str, str, int]
"""("lane", lane, 0), ("in", cell, entry), ("still", cell, entry), ("lean", cell, edge),
("unsaid", cell, edge): it leans and its sensor has not yet said so; ("held", lane, 0),
("unheld", lane, 0): likewise; ("gone", "fell" or "off:A3" or "zone", 0)."""
State = tuple[tuple[Ball, ...], tuple[int, ...]]
"""Where the balls are; how often each cell was touched, up to three."""


def small_board() -> Board:
    """Seven slots of the large board: one ramp of three lanes, one end zone."""
    whole = load(find("hextraction-22"))
    names = ("A1", "A2", "B1", "B2", "B3", "C1", "C2")
    board = replace(
        whole,
        name="hextraction-7",
        cells=tuple(cell for cell in whole.cells if cell.id in names),
        ramps=tuple(ramp for ramp in whole.ramps if ramp.cell == "B1"),
        zones=(replace(whole.zones[0], cell="B3"),),
        pixels=(),
        sensors=(),
    )
    like = {sensor.kind: sensor for sensor in whole.sensors}
    places = sensor_places(board)
    sensors = [
        replace(like[kind], id=f"{kind}:{place}", place=place, input=0)
        for kind in like
        for place in places[kind]
    ]
    return replace(board, sensors=tuple(replace(s, input=i) for i, s in enumerate(sensors)))


class Exact:
    """All that may have happened on one layout, with what probability."""

    def __init__(
        self, board: Board, tiles: dict[CellId, Placed], miss: float, false: float, sensors: int
    ) -> None:
        self.board = board
        self.doors = {c: basic()[p.tile].doors(p.rotation) for c, p in tiles.items()}
        self.odds = {
            (c, e): self._odds(basic()[p.tile].odds(p.rotation, e), e)
            for c, p in tiles.items()
            for e in self.doors[c]
        }
        self.cells = [cell.id for cell in board.cells]
        self.miss = miss
        self.false = false / sensors
        self._known: dict[State, list[tuple[float, str, State, Ball]]] = {}
        start: State = ((), (0,) * len(self.cells))
        self.alpha: dict[State, float] = {start: 1.0}

    @staticmethod
    def _odds(odds: dict[Edge, float], entry: Edge) -> dict[Edge, float]:
        """The ways out by their share; 0 for staying."""
        level = {e: p for e, p in odds.items() if HEIGHT[e] <= HEIGHT[entry]}
        total = sum(odds.values()) or 1.0
        if not odds:
            return {0: 1.0}
        if not level:
            return {0: 1 - CLIMB} | {e: CLIMB * p / total for e, p in odds.items()}
        return {e: p / total for e, p in odds.items()}

    # ------------------------------------------------------------------------------ one step

    def moves(
        self, ball: Ball, others: tuple[Ball, ...]
    ) -> Iterator[tuple[float, str, list[CellId], Ball, int]]:
        """What a moving ball does next: (how likely, sensor or "", cells touched, then, the ball
        among `others` that it knocks on, or -1)."""
        kind, place, edge = ball
        if kind == "lane":
            cell, side = next((r.cell, r.edge) for r in self.board.ramps if r.id == place)
            taken = any(b[0] in ("held", "unheld") and b[1] == place for b in others)
            if self._shut(cell, side):
                yield 1.0, f"gate:{place}", [cell], ("held", place, 0), -1
            else:
                jam = 1.0 if taken else JAM
                yield jam, f"gate:{place}", [], ("held", place, 0), -1
                if not taken:
                    yield from self._enter(1 - JAM, f"gate:{place}", cell, side, others)
        elif place not in self.doors:
            yield 1.0, f"fall:{place}", [], ("gone", "fell", 0), -1
        else:
            yield STICK, "", [], ("still", place, edge), -1
            for out, p in self.odds[place, edge].items():
                yield from self._leave((1 - STICK) * p, place, edge, out, others)

    def _leave(
        self, p: float, cell: CellId, entry: Edge, out: Edge, others: tuple[Ball, ...]
    ) -> Iterator[tuple[float, str, list[CellId], Ball, int]]:
        there = self.board.neighbour(cell, out) if out else None
        if out == 0 or (cell, out) in self.board.entry:
            yield p, "", [], ("still", cell, entry), -1
        elif (cell, out) in self.board.goal:
            yield p, f"throat:{cell}-{out}", [], ("gone", "zone", 0), -1
        elif there is None:
            yield p, f"exit:{cell}-{out}", [], ("gone", f"off:{cell}", 0), -1
        elif any(b[0] in ("lean", "unsaid") and b[1:] == (cell, out) for b in others):
            yield p, "", [], ("still", cell, entry), -1
        else:
            seam = f"edge:{self.board.seam(cell, out)}"
            if not self._shut(there, opposite(out)):
                yield from self._enter(p, seam, there, opposite(out), others)
                return
            away = [e for e in self.doors[cell].get(out, ()) if HEIGHT[e] <= HEIGHT[out]]
            share = LEAN if away else 1.0
            yield p * share, seam, [there], ("lean", cell, out), -1
            if away:
                yield p * (1 - share), seam, [there], ("in", cell, out), -1

    def _enter(
        self, p: float, sensor: str, cell: CellId, edge: Edge, others: tuple[Ball, ...]
    ) -> Iterator[tuple[float, str, list[CellId], Ball, int]]:
        touched = [cell] if cell in self.doors else []
        lying = next((i for i, b in enumerate(others) if b[:2] == ("still", cell)), -1)
        if lying >= 0 and touched:
            yield p * (1 - KNOCK), sensor, touched, ("still", cell, edge), -1
            p *= KNOCK
        yield p, sensor, touched, ("in", cell, edge), lying

    def _shut(self, cell: CellId, edge: Edge) -> bool:
        return cell in self.doors and edge not in self.doors[cell]

    def _steps(self, state: State) -> list[tuple[float, str, State, Ball]]:
        """What happens next in a state, worked out once."""
        found = self._known.get(state)
        if found is None:
            found = self._known[state] = list(self._next(state))
        return found

    def _next(self, state: State) -> Iterator[tuple[float, str, State, Ball]]:
        """One of the moving balls makes its next move."""
        balls, touches = state
        moving = [i for i, ball in enumerate(balls) if ball[0] in ("lane", "in")]
        for i in moving:
            others = balls[:i] + balls[i + 1 :]
            for p, sensor, cells, then, knocked in self.moves(balls[i], others):
                counts = list(touches)
                for cell in cells:
                    if cell in self.doors:
                        at = self.cells.index(cell)
                        counts[at] = min(3, counts[at] + 1)
                rest = list(others)
                if knocked >= 0:
                    rest[knocked] = ("in", *rest[knocked][1:])
                after = (tuple(sorted((*rest, then))), tuple(counts))
                yield p / len(moving), sensor, after, then

    # ---------------------------------------------------------------------------- a whole roll

    def _unseen(self, alpha: dict[State, float]) -> dict[State, float]:
        """With all that may have happened in between and made no sensor speak."""
        total = dict(alpha)
        front = alpha
        while front:
            after: dict[State, float] = defaultdict(float)
            for state, mass in front.items():
                for p, sensor, then, ball in self._steps(state):
                    unseen = self._quiet(then, ball) if sensor else then
                    after[unseen] += mass * p * (self.miss if sensor else 1.0)
            whole = sum(total.values())
            front = {s: m for s, m in after.items() if m > TINY * whole}
            for state, mass in front.items():
                total[state] = total.get(state, 0.0) + mass
        return total

    @staticmethod
    def _quiet(state: State, ball: Ball) -> State:
        """The same, where the level of a ball that came to lie was missed: it is reread later."""
        kind = {"lean": "unsaid", "held": "unheld"}.get(ball[0])
        if kind is None:
            return state
        balls = list(state[0])
        balls[balls.index(ball)] = (kind, *ball[1:])
        return tuple(sorted(balls)), state[1]

    def load(self, heard: set[str]) -> None:
        """Which lanes' loading places felt a ball."""
        for ramp in self.board.ramps:
            p = 1.0 if ramp.id in heard else RELEASED * self.miss
            lane: Ball = ("lane", ramp.id, 0)
            after: dict[State, float] = defaultdict(float)
            for (balls, touches), mass in self.alpha.items():
                after[tuple(sorted((*balls, lane))), touches] += mass * p
                if ramp.id not in heard:
                    after[balls, touches] += mass * (1 - p)
                else:
                    after[balls, touches] += mass * self.false
            self.alpha = after

    def see(self, sensor: str) -> None:
        """A sensor speaks."""
        before = self._unseen(self.alpha)
        after: dict[State, float] = defaultdict(float)
        kind, _, place = sensor.partition(":")
        for state, mass in before.items():
            after[state] += mass * self.false
            for p, made, then, _ in self._steps(state):
                if made == sensor:
                    after[then] += mass * p * (1 - self.miss)
            for ball in state[0]:  # the reread level of one that lies there
                said: Ball | None = None
                if ball[0] == "unsaid" and self.board.seam(ball[1], ball[2]) == place:
                    said = ("lean", *ball[1:])
                elif ball[0] == "unheld" and kind == "gate" and ball[1] == place:
                    said = ("held", place, 0)
                if said is not None:
                    balls = list(state[0])
                    balls[balls.index(ball)] = said
                    after[tuple(sorted(balls)), state[1]] += mass
        whole = sum(after.values())
        self.alpha = {s: m / whole for s, m in after.items() if m > TINY * whole}

    def rule(self, high: set[str]) -> dict[Ruled, float]:
        """The posterior of what the roll comes to, given which levels are active at the end."""
        rulings: dict[Ruled, float] = defaultdict(float)
        for (balls, touches), mass in self._unseen(self.alpha).items():
            felt = set()
            for kind, place, edge in balls:
                if kind in ("lean", "unsaid"):
                    felt.add(f"edge:{self.board.seam(place, edge)}")
                elif kind in ("held", "unheld"):
                    felt.add(f"gate:{place}")
                elif place == "zone":
                    felt.add(f"floor:{self.board.zones[0].id}")
            if felt != high or any(ball[0] in ("lane", "in") for ball in balls):
                continue
            rulings[self._ruled(balls, touches)] += mass
        whole = sum(rulings.values()) or 1.0
        return {ruling: mass / whole for ruling, mass in rulings.items()}

    def _ruled(self, balls: tuple[Ball, ...], touches: tuple[int, ...]) -> Ruled:
        if any(ball[1] == "zone" for ball in balls):
            return Ruled(True)
        lost = {ball[1][4:] for ball in balls if ball[1].startswith("off:")}
        lost |= {cell for cell, count in zip(self.cells, touches, strict=True) if count >= 3}
        rests = []
        for kind, place, edge in balls:
            if kind in ("lean", "unsaid"):
                rests.append(self.board.seam(place, edge))
            elif kind in ("still", "held", "unheld"):
                rests.append(place)
        for cell in {ramp.cell for ramp in self.board.ramps}:
            if all(r.id in rests for r in self.board.ramps if r.cell == cell):
                lost.add(cell)
        return Ruled(False, frozenset(lost & self.doors.keys()), tuple(sorted(rests)))


def posterior(
    board: Board, trial: Trial, miss: float, false: float, sensors: int
) -> dict[Ruled, float]:
    """What a trial's signs say, with the true rates of faults known."""
    exact = Exact(board, trial.tiles, max(miss, 1e-6), max(false, 1e-6), sensors)
    exact.load({s[5:] for _, s, level in trial.said if s.startswith("load:") and level})
    high: set[str] = set()
    for _, sensor, level in trial.said:
        (high.add if level else high.discard)(sensor)
        if level and not sensor.startswith(("load:", "floor:")):
            exact.see(sensor)
    return exact.rule({s for s in high if s.startswith(("edge:", "gate:", "floor:"))})
