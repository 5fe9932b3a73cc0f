"""Effects: what the table asks of the shell. The only way out of the pure core.

See docs/contracts.md, "Effect". Their canonical bytes feed the recording's running digest.
"""

import msgspec
from msgspec import Struct

from hexboard.scene import Scene
from hexboard.words import Message


class Show(Struct, frozen=True, tag="show"):
    """The scene has changed: light it."""

    scene: Scene


class Tell(Struct, frozen=True, tag="tell"):
    """Events of the game, or news of the table. Provisional until the next `Commit`."""

    messages: tuple[Message, ...]


class Commit(Struct, frozen=True, tag="commit"):
    """A commit point: write these match entries in one transaction; then `Tell`s are final."""

    first: int
    """Index of the first entry: all from here on replaces what the journal had from here on."""
    entries: tuple[str, ...]
    position: str


class Refuse(Struct, frozen=True, tag="refuse"):
    """Something a person asked for is refused; `to` is the source of the fact that asked."""

    message: Message
    to: str


class Corrected(Struct, frozen=True, tag="corrected"):
    """All provisional events were replaced by a better reading, told after this."""

    why: Message


class Refresh(Struct, frozen=True, tag="refresh"):
    """What pages show has changed; they ask the table for its view."""


class NextBrightness(Struct, frozen=True, tag="next_brightness"):
    """Its button was pressed: the lights are to be brighter; after the brightest, dimmest."""


Effect = Show | Tell | Refuse | Commit | Corrected | Refresh | NextBrightness

encode_effects = msgspec.json.Encoder(order="deterministic").encode
