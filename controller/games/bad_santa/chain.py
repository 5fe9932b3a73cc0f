"""The shortest chain of counters that links sides, for people to see."""

from hexboard.games.bad_santa.ground import LinkGround
from hexboard.games.bad_santa.groups import cells_of


def shortest(ground: LinkGround, stones: int, sides: int) -> list[int]:
    """The fewest of these counters that link all these sides: shortest ways from the counter that
    is nearest to all. Empty if they are not linked."""
    fans = [_fan(ground, stones, 1 << side) for side in cells_of(sides)]
    reached = [cell for cell in cells_of(stones) if all(cell in fan for fan in fans)]
    if not reached:
        return []
    middle = min(reached, key=lambda cell: sum(fan[cell] for fan in fans))
    return sorted({cell for fan in fans for cell in _way(ground, fan, middle)})


def _fan(ground: LinkGround, stones: int, side: int) -> dict[int, int]:
    """How many counters away from a side each counter is that hangs together with it."""
    edge = [cell for cell in cells_of(stones) if ground.near[cell] & side]
    far = dict.fromkeys(edge, 0)
    for cell in edge:  # grows as it goes
        for other in cells_of(ground.near[cell] & stones):
            if other not in far:
                far[other] = far[cell] + 1
                edge.append(other)
    return far


def _way(ground: LinkGround, fan: dict[int, int], cell: int) -> list[int]:
    """A shortest way from a counter to the side of this fan."""
    way = [cell]
    while fan[cell]:
        near = cells_of(ground.near[cell] & ground.all)
        cell = next(other for other in near if fan.get(other) == fan[cell] - 1)
        way.append(cell)
    return way
