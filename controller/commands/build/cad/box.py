"""The box for Pico and Pi, open at the sides where plugs go in; cables are tied to a comb, so that
nothing pulls at their joints."""

from collections.abc import Iterator

from hexboard.commands.build.cad.lengths import LOOSE_MM
from hexboard.commands.build.cad.recipe import Carved, PrintedPart, Prism, Rod, Solid, Stand

PI_MM, PI_HOLES_MM, PI_IN_MM = (85.0, 56.0), (58.0, 49.0), 3.5
"""A Raspberry Pi 3 to 5: its board, between its holes, from its corner to the first."""
PICO_MM, PICO_HOLES_MM = (51.0, 21.0), (47.0, 11.4)
PICO_IN_MM = (2.0, 4.8)
WALL_MM, FLOOR_MM, BESIDE_MM = 2.0, 2.0, 3.0
HIGH_MM = 30.0
"""The walls: a Pi's plugs, and air above."""
STANDS_MM = 5.0
"""How high both boards stand over the floor."""
COMB_MM = 16.0
"""How far the floor goes on outside, for cables to be tied to."""
TIE_MM = (3.4, 1.8)
"""The slot of a cable tie."""
CABLES = 6
GAP_MM = 7.0
"""The width of each of the comb's gaps in the wall, for a cable."""
Pair = tuple[float, float]


def boxes() -> Iterator[PrintedPart]:
    """The box and its lid."""
    yield PrintedPart("box", _box())
    yield PrintedPart("box-lid", _lid(), about_x=180.0)


def inside() -> Pair:
    """How long and wide the room is: the Pi, and the Pico beside it."""
    long = PI_MM[0] + 2 * BESIDE_MM
    return long, PI_MM[1] + PICO_MM[1] + 3 * BESIDE_MM


def _box() -> Carved:
    (long, wide), wall = inside(), WALL_MM
    shell = _block((-wall, long + wall), (-wall, wide + wall), (-FLOOR_MM, HIGH_MM))
    comb = _block((-wall - COMB_MM, 1.0), (-wall, wide + wall), (-FLOOR_MM, 0.0))
    posts, bores = [*_posts(1.0, 3.0, -1.0)], [*_posts(2.0, 1.1, 0.0)]
    room = _block((0.0, long), (0.0, wide), (0.0, HIGH_MM + 1))
    body = Carved((shell, comb), (room,))
    return Carved((body, *posts), (*bores, *_doors(long, wide), *_comb(wide)))


def _posts(over: float, radius: float, low: float) -> Iterator[Rod]:
    """What both boards stand on, or the bores for their screws (M2.5, and M2 for the Pico)."""
    high = STANDS_MM + (over if radius < 2 else 0.0)
    for x, y in (*_pi(), *_pico()):
        yield Rod((x, y, low), (x, y, high), radius)


def _pi() -> Iterator[Pair]:
    for dx in (0.0, PI_HOLES_MM[0]):
        for dy in (0.0, PI_HOLES_MM[1]):
            yield BESIDE_MM + PI_IN_MM + dx, BESIDE_MM + PI_IN_MM + dy


def _pico() -> Iterator[Pair]:
    y = PI_MM[1] + 2 * BESIDE_MM
    for dx in (0.0, PICO_HOLES_MM[0]):
        for dy in (0.0, PICO_HOLES_MM[1]):
            yield BESIDE_MM + PICO_IN_MM[0] + dx, y + PICO_IN_MM[1] + dy


def _doors(long: float, wide: float) -> Iterator[Prism]:
    """Where plugs go in: power and screens at one long side, network and USB at the far end. They
    are open above, for nothing to print over."""
    low = STANDS_MM - 1.0
    yield _block((BESIDE_MM + 4, BESIDE_MM + 64), (-WALL_MM - 1, 1.0), (low, HIGH_MM + 1))
    far = BESIDE_MM + 1.0, BESIDE_MM + PI_MM[1] - 1.0
    yield _block((long - 1, long + WALL_MM + 1), far, (low, HIGH_MM + 1))
    for k in range(6):  # air
        x = 20.0 + 11.0 * k
        yield _block((x, x + 5.0), (wide - 1, wide + WALL_MM + 1), (low + 4, HIGH_MM - 6))


def _comb(wide: float) -> Iterator[Solid]:
    """Gaps for cables in the wall, down to the floor, and a slot on each side of every cable."""
    pitch = wide / CABLES
    long, thick = TIE_MM
    for k in range(CABLES):
        y = pitch * (k + 0.5)
        gap = y - GAP_MM / 2, y + GAP_MM / 2
        yield _block((-WALL_MM - 1, 1.0), gap, (0.0, HIGH_MM + 1))
        for side in (-1, 1):
            at = y + side * (GAP_MM / 2 - 0.4)
            slot = at - thick / 2, at + thick / 2
            x = -WALL_MM - COMB_MM / 2
            yield _block((x - long / 2, x + long / 2), slot, (-FLOOR_MM - 1, 1.0))


def _lid() -> Carved:
    (long, wide), wall = inside(), WALL_MM
    plate = _block((-wall, long + wall), (-wall, wide + wall), (HIGH_MM, HIGH_MM + 2.0))
    within, low = LOOSE_MM, HIGH_MM - 3.0
    lip = _block((within, long - within), (within, wide - within), (low, HIGH_MM + 1))
    thin = within + 1.6
    hollow = _block((thin, long - thin), (thin, wide - thin), (low - 1, HIGH_MM))
    slits = (
        _block((15.0, long - 15.0), (y, y + 3.0), (low - 1, HIGH_MM + 3))
        for y in (20.0, 28.0, 36.0, 44.0)
    )
    return Carved((plate, lip), (hollow, *slits))


def _block(x: Pair, y: Pair, z: Pair) -> Prism:
    return Stand(0.0, 0.0, 0.0).box(y, x, z)
