"""What pages send: what people say, as the facts' own bodies, and what they ask the daemon for.

Pages are untrusted: who says something is not the page's to choose (`said`). docs/contracts.md,
"Page".
"""

from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from hexboard.facts import Decide, Declare, Ruling, Touch
from hexboard.web.keys import COLOURS, HOST, Key
from hexboard.words.errors import NO_JSON

LONGEST_SAID = 500
"""Letters of what people say, unless it writes a whole position: longer is no action of a game."""
LONGEST_WHY = 200
"""Letters of a ruling's reason; more are cut off."""
SETTING = ("position", "arrange")
"""The rulings that write a position."""
MOST_NAMES = Meta(max_length=16)
"""That are given with a new game."""
OwnColour = Annotated[int, Meta(ge=-1, lt=COLOURS)]
Id = Annotated[str, Meta(max_length=100)] | int
"""What a page calls one of its requests: its answer has that too."""


class Hand(Struct, frozen=True, tag="hand"):
    """A hand on the simulated board: it taps a cell, carries a thing, mends the board, or does what
    the game's stage knows (`hexboard.demo.stage`)."""

    what: str
    at: str = ""
    to: str = ""
    thing: str = ""
    turn: int = 0
    """How the thing is turned."""
    on: bool = False


class New(Struct, frozen=True, tag="new"):
    """Begin a new game: the one that is played, as it is; another, or with other options."""

    game: str = ""
    """Which; "" for the one that is played, as it is."""
    how: Literal["book", "first", "house", "on", "next"] = "book"
    """With which options to begin: by the book, for a first game, as it was played here last; or go
    on with what was left. Without a `game`, `next` begins with what the one that is over leaves."""
    options: dict[str, bool | int | str] = {}
    """In place of those."""
    match: str = ""
    """The match that the page showed; "" for whichever."""
    names: Annotated[tuple[str, ...], MOST_NAMES] = ()
    """What the players are called, by seat; "" for none."""
    colours: Annotated[tuple[OwnColour, ...], MOST_NAMES] = ()
    """Their colours, by seat; -1 for none."""
    clock: Annotated[str, Meta(max_length=16)] | None = None
    """Minutes a side and seconds that a turn adds ("10+5"); "" for no clock, None for the one that
    this board is played with."""


class Watch(Struct, frozen=True, tag="watch"):
    """Let the simulated board play by itself, or stop."""

    on: bool


class Lights(Struct, frozen=True, tag="lights"):
    """How bright the board's lights are from now on, in per cent, and whether they stand still."""

    brightness: Annotated[int, Meta(ge=0, le=100)]
    calm: bool


class GameAsk(Struct, frozen=True, tag="ask"):
    """What only the game's own widgets ask for (`hexboard.game.fields.PagePart.asked`)."""

    body: msgspec.Raw
    """JSON."""


class Curtain(Struct, frozen=True, tag="curtain"):
    """Whose cards this page is to show from now on, in a game with hidden cards; -1: nobody's, the
    curtain is closed."""

    side: int


class Invite(Struct, frozen=True, tag="invite"):
    """Invite somebody to a seat; -1: to watch. Only the host may."""

    seat: int


class Give(Struct, frozen=True, tag="give"):
    """Give a seat to somebody who has a key, by that key's id. The host may, and who
    holds that seat."""

    key: str
    seat: int


class Dismiss(Struct, frozen=True, tag="dismiss"):
    """Throw a phone off, by its key's id. Only the host may."""

    key: str


class Appoint(Struct, frozen=True, tag="appoint"):
    """Somebody who has a key is a host too from now on, by its id. Only the host may."""

    key: str


class Renew(Struct, frozen=True, tag="renew"):
    """End every key to this board but the host's, who gets another one."""


Said = Declare | Touch | Decide | Ruling
"""What people say on a page; the table hears it as a fact."""
_OfKeys = Invite | Give | Appoint | Dismiss | Renew
Asked = Said | Hand | New | Watch | Lights | GameAsk | Curtain | _OfKeys

NOBODY = -1
"""The side of a page whose curtain is closed."""


class Line(Struct, frozen=True):
    """What a program says to the referee (docs/referee.md), and the seat that it asks for."""

    text: str
    seat: int = NOBODY


class FromPage(Struct, frozen=True):
    """What a page sent, the side whose cards it showed then (`source` names both), and its key."""

    source: str
    side: int
    asked: Asked | Line
    key: Key = HOST
    """As it was then."""
    match: str = ""
    """The match that the page showed; "" where it does not say."""
    id: Id | None = None
    """What the page calls this request, and so does the answer; None: none is wanted."""

    @property
    def guest(self) -> str:
        """The id of a key that is no host's; "" for a host."""
        return "" if self.key.host else self.key.id


class _Identified(Struct):
    id: Id | None = None


_decode = msgspec.json.Decoder(Asked).decode
_identified = msgspec.json.Decoder(_Identified).decode
_Match = Annotated[str, Meta(max_length=200)]


def id_of(text: str) -> Id | None:
    """What a page calls its request, be that whatever else; None where it has no such name."""
    with suppress(*NO_JSON):
        return _identified(text).id
    return None


def decode_asked(text: str) -> tuple[Asked, str]:
    """What a page sent, and in which match it was said, where it says so. Raises
    `msgspec.DecodeError` for what is none of these, or says more: facts may gain fields, so they
    pass over those they do not know; a page may not. Nor may it be so long that a recording fills
    with what is refused."""
    asked: Asked = _decode(text)
    sent = msgspec.json.decode(text)
    match = msgspec.convert(sent.pop("match", ""), _Match) if isinstance(asked, Said) else ""
    msgspec.convert(sent.pop("id", None), Id | None)
    if extra := sent.keys() - {"type", *asked.__struct_fields__}:
        raise msgspec.ValidationError(f"unknown: {', '.join(sorted(extra))[:80]}")
    if _letters(asked) > LONGEST_SAID:
        raise msgspec.ValidationError("too long")
    return asked, match


def _letters(asked: Asked) -> int:
    match asked:
        case Declare(action=said) | Decide(choice=said):
            return len(said)
        case Touch(cells):
            return sum(map(len, cells))
        case Ruling(do) if do.removeprefix("problem ").partition(" ")[0] not in SETTING:
            return len(do)
    return 0


def said(
    body: Said, seat: int, who: str = HOST.id, seats: tuple[int, ...] = (), far: bool = False
) -> Said:
    """What a page says, in the name of `who` sits there; seat -1 is whoever's turn it is. `seats`
    are all that it speaks for; `far`: who says it is not at the board."""
    match body:
        case Declare():
            return replace(body, seat=seat, far=far)
        case Decide(question, choice):
            return Decide(question, choice, seats, who)
        case Ruling(do, _, why):
            return Ruling(do, who, why[:LONGEST_WHY], seats)
        case Touch():
            return body
