"""What a roll comes to, read once more from the rules: who wins, which tiles go (2.1.5)."""

from collections import Counter
from random import Random

from tests.worlds.ground import Ground
from tests.worlds.physics import Rest, Run


def destroyed(
    run: Run, ground: Ground, random: Random
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The slots whose tiles go when nobody wins, and of those that the roller chose the (crowded
    tile, choice): the last tile of who left over the side, what was touched three times, one for
    each tile that three balls touch."""
    gone = {slot for _, slot in run.off if slot in ground.tiles}  # 2.1.5.3
    touched = Counter(slot for _, _, slot in run.touches)
    gone |= {slot for slot, times in touched.items() if times >= 3 and slot in ground.tiles}  # .4
    crowds: list[tuple[str, str]] = []
    for slot in (cell.id for cell in ground.board.cells):  # 2.1.5.5
        crowd = on_tile(slot, run.resting, ground)
        if slot not in ground.tiles or slot in gone or len(crowd) < 3:
            continue
        within = {place for ball in crowd for place in tiles_of(run.resting[ball], ground)}
        chosen = random.choice(sorted(within - gone))
        crowds.append((slot, chosen))
        gone.add(chosen)
    return tuple(sorted(gone)), tuple(crowds)


def tiles_of(rest: Rest, ground: Ground) -> tuple[str, ...]:
    """The slots whose tiles a resting ball touches: its own, and the one it leans on (K37)."""
    if not rest.edge:
        return (rest.slot,) if rest.slot in ground.tiles else ()
    other = ground.board.neighbour(rest.slot, rest.edge)
    return tuple(slot for slot in (rest.slot, other) if slot is not None and slot in ground.tiles)


def on_tile(slot: str, resting: dict[int, Rest], ground: Ground) -> list[int]:
    """The balls that touch a slot's tile."""
    return [ball for ball, rest in resting.items() if slot in tiles_of(rest, ground)]
