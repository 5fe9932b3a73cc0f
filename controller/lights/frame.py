"""A scene becomes a frame: what each pixel does, within what its supply can give.

Scene → layers (a stronger meaning covers a weaker one) → looks → brightness, white balance and
gamma → the rail's limit at the patterns' worst instant, reported when it bites. A frame is 8 bytes
a pixel, as docs/link.md says: colour A, colour B, pattern, phase. The device that owns the pixels
animates them, so a frame is sent only when something changes.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from controller.board import Board, Pixel, Rail
from controller.scene import Mark, Meaning, Scene

Colour = tuple[int, int, int]
"""Red, green, blue, 0..255, as an eye would want them (before gamma)."""

STEADY, BLINK, PULSE, COUNT = range(4)
"""Patterns: A; A and B by turns at 1 Hz; A fading to B and back in 2 s; n flashes of A, then B."""
BLACK: Colour = (0, 0, 0)


class Look(Struct, frozen=True):
    """How one meaning looks. `flashes` counts for the pattern COUNT (at most 15)."""

    a: Colour
    b: Colour = BLACK
    pattern: int = STEADY
    flashes: int = 0


SEATS: tuple[Colour, ...] = (
    (90, 60, 150),
    (235, 235, 220),
    (60, 160, 90),
    (200, 160, 40),
    (60, 120, 220),
    (210, 80, 60),
)
"""What belongs to the first, second, … seat."""
RESERVED: tuple[Colour, ...] = ((240, 90, 60), (70, 200, 90), (80, 130, 255))
"""The three reserved cells; each also blinks its number."""
LOOKS: dict[Meaning, Look] = {
    Meaning.OPEN: Look((10, 14, 24)),
    Meaning.TILE: Look((26, 34, 46)),
    Meaning.SEAT: Look(SEATS[0]),
    Meaning.LAST: Look((150, 130, 60)),
    Meaning.LEGAL: Look((60, 200, 120), (20, 70, 40), PULSE),
    Meaning.ONTO: Look((60, 170, 220), (20, 60, 80), PULSE),
    Meaning.RESERVED: Look(RESERVED[0], BLACK, COUNT, flashes=1),
    Meaning.PICKED: Look((220, 255, 220)),
    Meaning.BALL: Look((150, 160, 190)),
    Meaning.TOUCHED: Look((190, 130, 20)),
    Meaning.PASSING: Look((90, 190, 255)),
    Meaning.OVERDRIVE: Look((120, 40, 200)),
    Meaning.OFFLINE: Look((90, 20, 20)),
    Meaning.DOOMED: Look((255, 80, 0), (120, 30, 0), PULSE),
    Meaning.DESTROYED: Look((255, 0, 0), (60, 0, 0), PULSE),
    Meaning.WIN: Look((255, 210, 60), (60, 200, 90), PULSE),
    Meaning.REFUSED: Look((255, 30, 30), (60, 0, 0), BLINK),
    Meaning.UNSURE: Look((200, 110, 0)),
    Meaning.STUCK: Look((120, 70, 0), BLACK, BLINK),
    Meaning.TODO: Look((255, 255, 255), (40, 40, 60), BLINK),
    Meaning.ASK: Look((230, 60, 230), (60, 10, 60), PULSE),
}
RANK = {meaning: i for i, meaning in enumerate(Meaning)}
GROUND = frozenset({Meaning.OVERDRIVE, Meaning.OFFLINE})
"""Moods of the whole board: they tint what would else only be a tile's or an open slot's light."""
MOODS = frozenset({Meaning.OPEN, Meaning.TILE})


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """How people want their lights (`[lights]` in the settings file)."""

    brightness: int = 30
    """Per cent of full."""
    calm: bool = False
    """Steady shapes instead of blinking and fading."""
    gamma: float = 2.2
    white: tuple[int, int, int] = (255, 224, 192)
    """Full white, channel by channel: the warm, green-poor white of common strips, corrected."""


class Power(Struct, frozen=True):
    """What a frame draws at its worst instant, and what it was allowed."""

    milliamps: int = 0
    limit: int = 0
    percent: int = 100
    """How much of the wanted light was given; below 100 the limit bites."""


class Frame(Struct, frozen=True):
    """8 bytes a pixel for the link, and the power they draw."""

    data: bytes
    power: Power


def render(board: Board, scene: Scene, settings: Settings) -> Frame:
    """The frame for a scene. A board without pixels gets an empty one."""
    if not board.pixels:
        return Frame(b"", Power())
    looks = [_calm(look) if settings.calm else look for look in layers(board.pixels, scene)]
    table = _levels(settings)
    lit = [replace(k, a=_drive(k.a, table), b=_drive(k.b, table)) for k in looks]
    scale, power = limit(lit, board.rails[0])
    return Frame(b"".join(_bytes(look, scale) for look in lit), power)


def layers(pixels: Iterable[Pixel], scene: Scene) -> list[Look]:
    """For each pixel the look of the strongest meaning at its place."""
    strongest: dict[str, Mark] = {}
    mood: Mark | None = None
    for mark in scene:
        if mark.meaning in GROUND:
            mood = mark
            continue
        held = strongest.get(mark.place)
        if held is None or RANK[mark.meaning] >= RANK[held.meaning]:
            strongest[mark.place] = mark
    return [_look(pixel, strongest, mood) for pixel in pixels]


def _look(pixel: Pixel, strongest: dict[str, Mark], mood: Mark | None) -> Look:
    places = (f"{pixel.cell}/{pixel.edge}", pixel.cell, "*")
    found = [strongest[place] for place in places if place in strongest]
    best = max(found, key=lambda mark: RANK[mark.meaning], default=None)
    if mood is not None and (best is None or best.meaning in MOODS):
        best = mood
    if best is None:
        return Look(BLACK)
    look = _meant(best)
    if best.meaning is Meaning.TOUCHED and pixel.edge > 3 * best.count:
        return replace(look, a=LOOKS[Meaning.TILE].a)  # one touch lights half the ring, two all
    return look


def _meant(mark: Mark) -> Look:
    """How a mark looks, where its count says which."""
    look, which = LOOKS[mark.meaning], max(0, mark.count - 1)
    if mark.meaning is Meaning.SEAT:
        return replace(look, a=SEATS[which % len(SEATS)])
    if mark.meaning is Meaning.RESERVED:
        return replace(look, a=RESERVED[which % len(RESERVED)], flashes=min(which + 1, 15))
    return look


def _calm(look: Look) -> Look:
    return Look(look.a)


def limit(looks: list[Look], rail: Rail) -> tuple[float, Power]:
    """The factor that brings a frame within its rail, and what it then draws.

    The worst instant of a pattern is the brighter of its colours; all may have theirs at once.
    """
    idle = len(looks) * rail.idle_ua
    levels = sum(max(sum(look.a), sum(look.b)) for look in looks)
    wanted = -(-levels * rail.channel_ua // 255)  # rounded up
    room = max(0, rail.limit_ma * 1000 - idle)
    scale = 1.0 if wanted <= room else room / wanted
    return scale, Power(
        milliamps=round((idle + wanted * scale) / 1000),
        limit=rail.limit_ma,
        percent=int(scale * 100),
    )


def _levels(settings: Settings) -> tuple[list[int], ...]:
    """For each channel, what an eye's level 0..255 becomes on the strip."""
    share = settings.brightness / 100
    return tuple(
        [round(255 * (level / 255) ** settings.gamma * share * white / 255) for level in range(256)]
        for white in settings.white
    )


def _drive(colour: Colour, table: tuple[list[int], ...]) -> Colour:
    red, green, blue = colour
    return table[0][red], table[1][green], table[2][blue]


def _bytes(look: Look, scale: float) -> bytes:
    """Rounded down, so that the limit holds."""
    a, b = (bytes(int(channel * scale) for channel in colour) for colour in (look.a, look.b))
    return a + b + bytes((look.pattern | look.flashes << 4, 0))
