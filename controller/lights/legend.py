"""Legend: what the lights of a game mean, in words, drawn from the looks that are lit. Pure.

A game lists its lights among its sentences, in the table `light`: `legal`, or with the mark's count
`seat_2`. What every table may light is added. A game that lists none may light whatever there is.

    for light in legend(game.prefix):
        print(light.look(), light.text)
"""

from msgspec import Struct

from hexboard.lights.frame import BLINK, COUNT, PULSE, STEADY, Colour, Style, look, still
from hexboard.scene import Mark, Meaning
from hexboard.words import Message, language, message, say, sentences

EVERYWHERE = (Meaning.REFUSED, Meaning.UNSURE, Meaning.STUCK, Meaning.TODO, Meaning.ASK)
"""What a table lights in any game."""
RHYTHMS = {STEADY: "steady", BLINK: "blink", PULSE: "pulse", COUNT: "count"}
HUES = (
    *((15, "red"), (34, "orange"), (50, "amber"), (70, "yellow"), (165, "green"), (200, "cyan")),
    *((255, "blue"), (295, "violet"), (348, "pink"), (360, "red")),
)
"""The names of hues up to these degrees."""
GREY = 0.22
"""A colour less saturated is white or grey."""
DIM, DARK = 130, 24
"""Levels of the brightest channel below which a colour is dim, or too dark to name."""


class LightMeaning(Struct, frozen=True):
    """One light of a game: what it means, and its style in a game that is not calm."""

    meaning: Meaning
    count: int
    text: str
    style: Style

    def look(self) -> str:
        """How it looks, in words: "fades between green and dim green"."""
        return _told(RHYTHMS[self.style.pattern], self.style, self.style.flashes)

    def calm(self, ring: bool) -> str:
        """How it looks in calm mode, where cells have a `ring` of lights or only one."""
        if ring and self.style.pattern in (BLINK, COUNT):
            return _told(f"calm_{RHYTHMS[self.style.pattern]}", self.style, self.style.flashes)
        return _told("steady", still(self.style))


def legend(family: str) -> tuple[LightMeaning, ...]:
    """The lights of a game whose message keys begin with `family`, weakest first."""
    start = f"{family}.light."
    own = {
        key.removeprefix(start): text
        for key, text in sentences(family, language()).items()
        if key.startswith(start)
    }
    common = {it.value: say(_common(it)) for it in (EVERYWHERE if own else Meaning)}
    found = [_light(name, text) for name, text in (common | own).items()]
    return tuple(sorted(found, key=lambda it: (list(Meaning).index(it.meaning), it.count)))


def _common(meaning: Meaning) -> Message:
    return message(f"light.{meaning}")


def _light(name: str, text: str) -> LightMeaning:
    """The light of `legal` or `seat_2`. Raises `ValueError` for what is no meaning."""
    word, _, count = name.partition("_")
    mark = Mark("*", Meaning(word), int(count or 0))
    return LightMeaning(mark.meaning, mark.count, text, look(mark))


def _told(rhythm: str, style: Style, flashes: int = 0) -> str:
    a, b = colour_name(style.a), colour_name(style.b)
    if rhythm == "pulse" and a == b:
        rhythm = "pulse_one"
    return say(message(f"rhythm.{rhythm}", a=a, b=b, flashes=flashes))


def colour_name(colour: Colour) -> str:
    """What people call a colour: "dim amber"."""
    red, green, blue = colour
    top, span = max(colour), max(colour) - min(colour)
    if top < DARK:
        return say(message("hue.dark"))
    if span < GREY * top:
        return say(message("hue.white" if top >= DIM else "hue.grey"))
    sixths = {
        red: (green - blue) / span % 6,
        green: (blue - red) / span + 2,
        blue: (red - green) / span + 4,
    }[top]
    name = next(name for most, name in HUES if 60 * sixths <= most)
    named = say(message(f"hue.{name}"))
    return named if top >= DIM else say(message("hue.dim", colour=named))
