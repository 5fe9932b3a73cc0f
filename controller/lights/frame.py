"""A scene becomes a frame: what each pixel does, within what its supply can give.

Scene → layers (a stronger meaning covers a weaker one) → looks → brightness, white balance and
gamma → each rail's limit at the patterns' worst instant, reported when it bites. A frame is 8 bytes
a pixel, as docs/link.md says: colour A, colour B, pattern, phase. The device that owns the pixels
animates them, so a frame is sent only when something changes.

    renderer = LightRenderer(board, LightSettings(brightness=50))
    frame = renderer.render(scene).data
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board, Pixel, Rail
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message

Colour = tuple[int, int, int]
"""Red, green, blue, 0..255, as an eye would want them (before gamma)."""

STEADY, BLINK, PULSE, COUNT = range(4)
"""Patterns: A; A and B by turns at 1 Hz; A fading to B and back in 2 s; n flashes of A, then B."""
BLACK: Colour = (0, 0, 0)
FLOOR = 4
"""The least that the brightest channel of a lit colour has on the strip, of 255."""


class Style(Struct, frozen=True):
    """How one meaning looks. `flashes` counts for the pattern COUNT (at most 15); the pattern
    starts `phase` 256ths of its period later on."""

    a: Colour
    b: Colour = BLACK
    pattern: int = STEADY
    flashes: int = 0
    phase: int = 0


SEATS: tuple[Colour, ...] = (
    (106, 67, 178),
    (213, 209, 192),
    (4, 158, 98),
    (239, 135, 46),
    (55, 121, 220),
    (215, 32, 57),
)
"""What belongs to the first, second, … seat."""
RESERVED: tuple[Colour, ...] = (
    (251, 126, 65),
    (76, 215, 121),
    (112, 136, 208),
)
"""The three reserved cells; each also blinks its number."""
SIDES: tuple[Colour, ...] = (
    (255, 149, 77),
    (0, 101, 255),
)
"""Orange and blue: the two sides of a war."""
ZONES: tuple[Colour, ...] = (
    (153, 0, 0),
    (10, 1, 120),
)
"""The zone around the marker of each side: darker than who fights there."""
TERRAIN: tuple[Colour, ...] = (
    (28, 22, 30),
    (72, 94, 92),
    (123, 108, 65),
    (102, 63, 0),
    (15, 53, 116),
)
"""Mountain, material, energy, the HQ of each side."""
AREAS: tuple[Colour, ...] = (
    (144, 125, 125),
    (0, 204, 179),
    (5, 0, 200),
)
"""Areas that lie side by side, beside those that stay dark; no side's colour."""
LOOKS: dict[Meaning, Style] = {
    Meaning.OPEN: Style((0, 17, 65)),
    Meaning.TILE: Style((56, 64, 87)),
    Meaning.TERRAIN: Style(TERRAIN[0]),
    Meaning.AREA: Style(AREAS[0]),
    Meaning.SEAT: Style(SEATS[0]),
    Meaning.LAST: Style((162, 141, 46)),
    Meaning.ZONE: Style(ZONES[0], BLACK, PULSE),
    Meaning.SIDE: Style(SIDES[0]),
    Meaning.THREAT: Style((211, 65, 91), SIDES[0], PULSE),
    Meaning.MARKER: Style((231, 228, 226), SIDES[0], BLINK),
    Meaning.LEGAL: Style((125, 239, 176), (56, 102, 59), PULSE),
    Meaning.ONTO: Style((12, 185, 240), (2, 83, 112), PULSE),
    Meaning.FRESH: Style((231, 161, 97)),
    Meaning.COUNTS: Style(SEATS[0], BLACK, PULSE),
    Meaning.REACH: Style((68, 250, 190)),
    Meaning.RESERVED: Style(RESERVED[0], BLACK, COUNT, flashes=1),
    Meaning.PICKED: Style((213, 255, 237)),
    Meaning.BALL: Style((154, 156, 176)),
    Meaning.TOUCHED: Style((239, 165, 11)),
    Meaning.PASSING: Style((139, 195, 239)),
    Meaning.OVERDRIVE: Style((95, 55, 208)),
    Meaning.OFFLINE: Style((91, 23, 24)),
    Meaning.DOOMED: Style((255, 133, 0), (107, 85, 72), PULSE),
    Meaning.DESTROYED: Style((236, 48, 0), (51, 7, 11), PULSE),
    Meaning.WIN: Style((245, 204, 52), (220, 250, 131), PULSE),
    Meaning.REFUSED: Style((228, 68, 83), (61, 20, 60), BLINK),
    Meaning.UNSURE: Style((133, 90, 0)),  # dim: on a new board it is everywhere
    Meaning.STUCK: Style((117, 71, 83), BLACK, BLINK),
    Meaning.TODO: Style((255, 255, 255), (27, 35, 57), BLINK),
    Meaning.ASK: Style((255, 32, 149), (130, 51, 104), PULSE),
}
"""How each meaning looks; those of one game differ for everybody (`test_palette.py`)."""
STEP = 32
"""How far a running light is behind from one place of its path to the next, in 256ths."""
RANK = {meaning: i for i, meaning in enumerate(Meaning)}
SIDED = frozenset({Meaning.ZONE, Meaning.SIDE, Meaning.THREAT, Meaning.MARKER})
"""What is shown in the colour of a side."""
GROUND = frozenset({Meaning.OVERDRIVE, Meaning.OFFLINE})
"""Moods of the whole board: they tint what would else only be a tile's or an open slot's light."""


class LightSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How people want their lights (`[lights]` in the settings file)."""

    brightness: int = 30
    """Per cent of full."""
    calm: bool = False
    """Steady shapes instead of blinking and fading: of a ring, three lights for what would blink,
    and as many as it would flash."""
    night: tuple[str, ...] = ()
    """When the night begins and ends, by the clock: ("22:00", "07:00"); () for never."""
    night_brightness: int = 5
    """Per cent of full, at night."""
    gamma: float = 2.2
    white: tuple[int, int, int] = (255, 224, 192)
    """Full white, channel by channel: the warm, green-poor white of common strips, corrected."""


def is_night(night: tuple[str, ...], minute: int) -> bool:
    """Whether a minute of the day lies in the night. Raises `ValueError` for what is no night."""
    if not night:
        return False
    begin, end = (_minute(text) for text in night)
    return begin <= minute < end if begin <= end else minute >= begin or minute < end


def _minute(text: str) -> int:
    """The minute of the day of a time such as 22:30. Raises `ValueError`."""
    hours, minutes = (int(part) if part.isdecimal() else -1 for part in text.split(":"))
    if not (0 <= hours < 24 and 0 <= minutes < 60):
        raise ValueError(text)
    return 60 * hours + minutes


class Power(Struct, frozen=True):
    """What a rail gives for a frame at its worst instant, and what it may give."""

    milliamps: int = 0
    limit: int = 0
    percent: int = 100
    """How much of the wanted light was given; below 100 the limit bites."""
    rail: str = ""


class LightFrame(Struct, frozen=True):
    """8 bytes a pixel for the link, and the power of the rail that is worst off."""

    data: bytes
    power: Power


class PixelLight(Struct, frozen=True, eq=False):
    """One look on the strip: `draw` is the sum of its channels at the worst instant."""

    data: bytes
    draw: int

    def dimmed(self, part: int, whole: int) -> bytes:
        """With `part` of `whole` of its light: rounded down, so that a limit holds."""
        return bytes([level * part // whole for level in self.data[:6]]) + self.data[6:]


class Ink(Struct, frozen=True):
    """What a mark paints: a light for each edge of a cell (0, the middle, to 6)."""

    weight: int
    everywhere: bool
    lights: tuple[PixelLight, ...]


class LightRenderer:
    """Makes frames of scenes for one board and one choice of settings; remembers only looks."""

    def __init__(self, board: Board, settings: LightSettings) -> None:
        self._calm = settings.calm
        self._settings = settings
        self._edges = [pixel.edge for pixel in board.pixels]
        self._spots = _spots(board.pixels)
        self._feeds = _feeds(board)
        self._black = self._light(Style(BLACK))
        self._inks: dict[tuple[Meaning, int], Ink] = {}

    def render(self, scene: Scene) -> LightFrame:
        """The frame for a scene. A board without pixels gets an empty one."""
        return self.within(self.lights(scene))

    def plain(self, styles: Iterable[Style]) -> LightFrame:
        """The frame in which each pixel has its own style, whatever that may mean."""
        return self.within(list(map(self._light, styles)))

    def within(self, lights: list[PixelLight]) -> LightFrame:
        """A frame within what the rails can give."""
        parts = [light.data for light in lights]
        powers = []
        for rail, fed, dark in self._feeds:
            wanted, room, power = limit([*dark, *(lights[i].draw for i in fed)], rail)
            powers.append(power)
            if wanted > room:
                dim = {k: k.dimmed(room, wanted) for k in {lights[i] for i in fed}}
                for i in fed:
                    parts[i] = dim[lights[i]]
        return LightFrame(b"".join(parts), min(powers, key=_spare, default=Power()))

    def lights(self, scene: Scene) -> list[PixelLight]:
        """For each pixel the light of the heaviest mark on it; of equals the later."""
        spots, edges, inks = self._spots, self._edges, self._inks
        lights, weights = [self._black] * len(edges), [-1] * len(edges)
        for mark in scene:
            ink = inks.get((mark.meaning, mark.count)) or self._ink(mark)
            place = "*" if ink.everywhere else mark.place
            if place not in spots:
                continue
            nearness, pixels = spots[place]
            weight = ink.weight + nearness
            for i in pixels:
                if weight >= weights[i]:
                    weights[i] = weight
                    lights[i] = ink.lights[edges[i]]
        return lights

    def _ink(self, mark: Mark) -> Ink:
        ground = mark.meaning in GROUND
        # Four to a rank: what is said of "*", of a cell, of an edge; and a mood, just above TILE.
        weight = 4 * RANK[Meaning.TILE] + 3 if ground else 4 * RANK[mark.meaning]
        looks = [look(mark, edge) for edge in range(7)]
        if self._calm:
            looks = [still(style, edge) for edge, style in enumerate(looks)]
        lights = tuple(map(self._light, looks))
        ink = self._inks[mark.meaning, mark.count] = Ink(weight, ground, lights)
        return ink

    def _light(self, look: Style) -> PixelLight:
        a, b = (bytes(on_strip(colour, self._settings)) for colour in (look.a, look.b))
        return PixelLight(
            a + b + bytes((look.pattern | look.flashes << 4, look.phase)), max(sum(a), sum(b))
        )


def _spots(pixels: tuple[Pixel, ...]) -> dict[str, tuple[int, tuple[int, ...]]]:
    """The pixels at each place that a mark may name, and how near it is: board, cell, edge."""
    spots: dict[str, tuple[int, tuple[int, ...]]] = {}
    for i, pixel in enumerate(pixels):
        for nearness, place in enumerate(("*", pixel.cell, f"{pixel.cell}/{pixel.edge}")):
            spots[place] = nearness, (*spots.get(place, (0, ()))[1], i)
    return spots


def _feeds(board: Board) -> list[tuple[Rail, list[int], list[int]]]:
    """The pixels that each rail feeds, and what its lights of no cell draw to shine: nothing. Rails
    that feed no pixel are left out."""
    fed: dict[int, list[int]] = {}
    for i, pixel in enumerate(board.pixels):
        fed.setdefault(pixel.rail, []).append(i)
    idle = Counter(board.feeds)
    return [(board.rails[k], on, [0] * (idle[k] - len(on))) for k, on in fed.items()]


def look(mark: Mark, edge: int = 0) -> Style:
    """How a mark looks at an edge, where its count says which."""
    style, which = LOOKS[mark.meaning], max(0, mark.count - 1)
    if mark.meaning is Meaning.SEAT:
        return replace(style, a=SEATS[which % len(SEATS)])
    if mark.meaning in (Meaning.LAST, Meaning.COUNTS) and mark.count:
        colour = SEATS[which % len(SEATS)]
        return replace(style, a=colour, b=_dim(colour), pattern=PULSE)
    if mark.meaning in (Meaning.LEGAL, Meaning.ONTO) and mark.count:
        return replace(style, pattern=COUNT, flashes=min(mark.count, 15))
    if mark.meaning is Meaning.WIN and mark.count:
        return replace(style, phase=-STEP * which % 256)  # so the light runs along the path
    if mark.meaning is Meaning.TERRAIN:
        return replace(style, a=TERRAIN[which % len(TERRAIN)])
    if mark.meaning is Meaning.AREA:
        return replace(style, a=AREAS[which % len(AREAS)])
    if mark.meaning in SIDED and mark.count:
        return _sided(style, mark.meaning, which % len(SIDES))
    if mark.meaning is Meaning.REACH:
        return replace(style, a=_faint(style.a, which + 1))
    if mark.meaning is Meaning.RESERVED:
        return replace(style, a=RESERVED[which % len(RESERVED)], flashes=min(which + 1, 15))
    if mark.meaning is Meaning.ASK and mark.count:
        return replace(style, b=BLACK, pattern=COUNT, flashes=min(mark.count, 15))
    if mark.meaning is Meaning.TOUCHED and edge > 3 * mark.count:
        return replace(style, a=LOOKS[Meaning.TILE].a)  # one touch lights half the ring, two all
    return style


def _dim(colour: Colour) -> Colour:
    """The same colour at a quarter."""
    red, green, blue = colour
    return red // 4, green // 4, blue // 4


def _sided(style: Style, meaning: Meaning, side: int) -> Style:
    """A look in a side's colour: all of it, or what it fades to."""
    if meaning is Meaning.ZONE:
        return replace(style, a=ZONES[side], b=_dim(ZONES[side]))
    if meaning is Meaning.SIDE:
        return replace(style, a=SIDES[side])
    return replace(style, b=SIDES[side])


def _faint(colour: Colour, times: int) -> Colour:
    red, green, blue = (level // times for level in colour)
    return red, green, blue


def still(style: Style, edge: int = 0) -> Style:
    """What stands still for a look that would not: of a ring a shape, else what lies between its
    colours."""
    if style.pattern == COUNT:
        return Style(style.a if edge <= style.flashes else style.b)
    if style.pattern == BLINK and edge:
        return Style(style.a if edge % 2 else style.b)
    if style.pattern in (BLINK, PULSE):
        red, green, blue = ((a + b) // 2 for a, b in zip(style.a, style.b, strict=True))
        return Style((red, green, blue))
    return Style(style.a)


def limit(draws: list[int], rail: Rail) -> tuple[int, int, Power]:
    """What pixels with these draws want for their light (µA), what the rail has for it beside
    idling, and what it then gives.

    The worst instant of a pattern is the brighter of its colours; all may have theirs at once.
    """
    idle = len(draws) * rail.idle_ua
    wanted = -(-sum(draws) * rail.channel_ua // 255)  # rounded up
    room = max(0, rail.limit_ma * 1000 - idle)
    given = min(wanted, room)
    return (
        wanted,
        room,
        Power(
            milliamps=(idle + given + 500) // 1000,
            limit=rail.limit_ma,
            percent=100 * given // wanted if wanted else 100,
            rail=rail.id,
        ),
    )


def kept_dark(board: Board) -> Iterator[Message]:
    """A sentence on each rail that has nothing for light beside what its lights draw when dark."""
    for rail, fed, dark in _feeds(board):
        idle = (len(fed) + len(dark)) * rail.idle_ua
        if rail.limit_ma * 1000 <= idle:
            idle_ma = -(-idle // 1000)
            yield message("rail.dark", rail=rail.id, limit=rail.limit_ma, idle=idle_ma)


def _spare(power: Power) -> tuple[int, int]:
    """How well off a rail is."""
    return power.percent, power.limit - power.milliamps


def on_strip(colour: Colour, settings: LightSettings) -> Colour:
    """What an eye's colour becomes on the strip. However dim, a lit colour keeps its hue: its
    brightest channel has `FLOOR` at least, and no lit channel goes out."""
    most = 255 * settings.brightness / 100
    wanted = [
        most * (level / 255) ** settings.gamma * white / 255
        for level, white in zip(colour, settings.white, strict=True)
    ]
    more = max(1.0, FLOOR / max(wanted)) if any(wanted) else 0.0
    red, green, blue = (max(1, round(level * more)) if level else 0 for level in wanted)
    return red, green, blue
