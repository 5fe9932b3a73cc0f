"""Random games of Hextraction with every invariant checked after every event.

`python -m tests.benchmarks.hextraction [GAMES]`: 10,000 games unless told. A driver plays legal
moves, calls votes, concedes, and lets balls, tiles and power do what they may.
"""

import sys
import time
from collections import Counter
from random import Random

from controller.games.hextraction import Hextraction, parse, start
from controller.games.hextraction.actions import Concede, End
from tests.benchmarks import reference

LONGEST = 300
"""Events after which a game is cut."""
GONE = {
    *("loop", "lost_tile", "dropped", "cleared", "blocked", "voted_off"),
    *("three_balls", "effect_destroys"),
}


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    begun, ends, events = time.perf_counter(), Counter[str](), 0
    for seed in range(games):
        end, count = play(seed)
        ends[end] += 1
        events += count
    seconds = time.perf_counter() - begun
    print(f"{games} games, {events} events, no invariant broken; ends: {dict(ends)}")
    print(f"{seconds:.1f} s; reference loop {reference():.1f} ms")


def play(seed: int) -> tuple[str, int]:
    """One game: how it ended, and after how many events."""
    random = Random(seed)
    options = {"seats": random.randint(2, 6), "pool": random.choice((0, 5, 54))}
    position = start(options=options)
    total, destroyed = _tiles(position), 0
    for count in range(LONGEST):
        if position.scores is not None:
            return ("win" if max(position.scores) else "draw"), count
        action = position.action(_choose(random, position))
        if position.refusal(action):
            continue
        after = position.play(action)
        destroyed += sum(e.key.removeprefix("hextraction.") in GONE for e in after.events)
        where = f"seed {seed}, event {count}: {position.name(action)}"
        assert _tiles(after) + destroyed == total, f"{where}: a tile was made or lost (0.1.7)"
        assert str(parse(str(after), options=options)) == str(after), f"{where}: text"
        _check(position, after, where)
        if isinstance(action, End):
            assert after.hands[position.active] <= 3, f"{where}: hand (1.2.3)"
        assert not (position.vote and isinstance(action, End)), f"{where}: vote (0.5.1)"
        position = after
    return "cut", LONGEST


def _check(before: Hextraction, after: Hextraction, where: str) -> None:
    flags = (before.offline, before.overdrive) == (after.offline, after.overdrive)
    assert flags or after.stable, f"{where}: flags changed while unstable (T.Offline.1)"
    ids = [ball.id for ball in after.balls]
    assert len(ids) == len(set(ids)), f"{where}: a ball is in two places"
    assert min(after.pool, *after.hands) >= 0, f"{where}: fewer than no tiles"
    assert not (after.vote and after.scores), f"{where}: a vote after the end"
    assert bool(after.legal) == (after.scores is None), f"{where}: nothing to do"
    assert after.scores is not None or after.active not in after.conceded or not after.stable


def _tiles(position: Hextraction) -> int:
    return position.pool + sum(position.hands) + len(position.tiles)


def _choose(random: Random, position: Hextraction) -> str:
    """The name of something that may be done or happen now."""
    board, seat = position.board, random.randrange(position.setting.seats)
    chance = random.random()
    if chance < 0.01:
        return position.name(Concede(seat))
    if chance < 0.04 and position.tiles:
        return f"vote destroy {random.choice(list(position.tiles))} {seat}"
    if chance < 0.08:
        return random.choice(("rail on", "rail off", f"drop {random.choice(board.cells).id}"))
    if position.balls and chance < (0.75 if position.phase == "rolling" else 0.12):
        ball, cell = random.choice(position.balls).id, random.choice(board.cells).id
        slot, edge = random.choice(list(board.exits))
        near = random.choice(("B1", "B2", cell))
        common = [f"touch {ball} {near}"] * 6
        rare = [f"wall {ball} {cell}", f"fell {ball} {cell}", f"off {ball} {slot} {edge}"]
        ends = [
            f"rest {ball} {cell}",
            f"gone {ball}",
            f"goal {ball} {random.choice(board.zones).id}",
        ]
        return random.choice(common + rare + ends)
    return position.name(random.choice(position.legal))


if __name__ == "__main__":
    main()
