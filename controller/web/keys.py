"""Keys: who may open this board's page, and which seats each of them speaks for.

The host's key is the token in the link that hexboard prints. Everybody else is invited by the host,
to a seat or to watch. An invitation, a link or six figures, is taken once and gives that phone a
key of its own. Who takes a seat takes it from whoever held it. Only hashes of keys are kept, beside
the board, so that phones keep their seats over a restart.
"""

import contextlib
import hashlib
import secrets
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard.files import keep
from hexboard.words import message, say
from hexboard.words.errors import HexboardError

WATCHING = -1
"""The seat of an invitation to watch."""
LONGEST_NAME = 24
PEOPLE = 64
"""Keys beside the host's."""
GUESSES, GUESSING_S = 5, 60.0
"""Wrong figures that are looked at in so many seconds, whoever sends them: one in a million is
right, and a hundred hours of guessing find one of them with a chance of 3 in 100."""


class Key(Struct, frozen=True):
    """What a phone may: the host everything, anybody else speak for their seats, or watch. A board
    page watches, and shows the code by which others come to watch."""

    id: str
    seats: tuple[int, ...] = ()
    name: str = ""
    host: bool = False
    far: bool = False
    """They are not at the board."""
    digest: str = ""
    """SHA-256 of what the phone's cookie holds, in hex."""


HOST = Key("host", host=True)
BOARD = Key("board")


class Invitation(Struct, frozen=True):
    """A seat that waits for somebody: the secret of its link, and six figures instead of it."""

    seat: int
    secret: str
    figures: str


class Keys:
    """The keys to one board. `path` keeps them; None for a board that forgets them."""

    def __init__(self, token: str, path: Path | None = None) -> None:
        self._token, self._path = token, path
        self._keys: dict[str, Key] = {}
        self._open: dict[int, Invitation] = {}
        self._wrong: deque[float] = deque(maxlen=GUESSES)
        if path is not None:
            with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
                kept = msgspec.json.decode(path.read_bytes(), type=list[Key])
                self._keys = {key.digest: key for key in kept[:PEOPLE] if not key.host}

    @property
    def people(self) -> tuple[Key, ...]:
        """Everybody who was invited and came, in that order."""
        return tuple(self._keys.values())

    def of(self, secret: str) -> Key | None:
        """The key that a cookie holds."""
        if _same(secret, self._token):
            return HOST
        if _same(secret, self.board):
            return BOARD
        return self._keys.get(_digest(secret))

    def now(self, key: Key) -> Key | None:
        """A key as it is now; None where it no longer counts."""
        return key if key in (HOST, BOARD) else self._keys.get(key.digest)

    @property
    def board(self) -> str:
        """The secret of a board page's link: made of the host's, which it does not tell."""
        return _digest(f"board {self._token}")[:22]

    def holder(self, seat: int) -> Key | None:
        """Whose phone speaks for a seat; None where it is the host's."""
        return next((key for key in self._keys.values() if seat in key.seats), None)

    def invite(self, seat: int) -> Invitation:
        """Invite somebody to a seat, in place of an invitation to it that nobody took. To watch,
        every page that invites shows the same one."""
        if seat == WATCHING and seat in self._open:
            return self._open[seat]
        taken = {invitation.figures for invitation in self._open.values()}
        figures = next(it for it in iter(_figures, "") if it not in taken)
        self._open[seat] = Invitation(seat, secrets.token_urlsafe(16), figures)
        return self._open[seat]

    def accept(self, code: str, name: str, held: str, now: float, far: bool = False) -> str:
        """Take the invitation of a link's secret or of six figures, at `now` s, maybe from `far`;
        what the phone's cookie is to hold. A phone that has a key, `held`, keeps it and takes the
        seat as well. Raises `HexboardError`."""
        code = "".join(code.split())
        invitation = self._invitation(code, now)
        holder = self.of(held)
        secret = held if holder is not None and not holder.host else secrets.token_urlsafe(16)
        key = self._keys.get(_digest(secret)) or Key(secrets.token_hex(4), digest=_digest(secret))
        if key.digest not in self._keys and len(self._keys) >= PEOPLE:
            raise HexboardError("web.too_many_people", most=PEOPLE)
        del self._open[invitation.seat]
        self._give(replace(key, name=called(name) or key.name, far=far), invitation.seat)
        return secret

    def _invitation(self, code: str, now: float) -> Invitation:
        guess = len(code) == 6
        if guess and len(self._wrong) == GUESSES and now - self._wrong[0] < GUESSING_S:
            raise HexboardError("web.too_many_guesses")
        for invitation in self._open.values():
            right = invitation.figures if guess else invitation.secret
            if _same(code, right):
                return invitation
        if guess:
            self._wrong.append(now)
        raise HexboardError("web.no_invitation")

    def _give(self, key: Key, seat: int) -> None:
        if (before := self.holder(seat)) is not None:
            rest = tuple(it for it in before.seats if it != seat)
            if rest:
                self._keys[before.digest] = replace(before, seats=rest)
            else:
                del self._keys[before.digest]
            key = key if before.digest != key.digest else replace(key, seats=rest)
        seats = {*key.seats, seat} - {WATCHING}
        self._keys[key.digest] = replace(key, seats=tuple(sorted(seats)))
        self._keep()

    def give(self, id: str, seat: int) -> None:
        """Somebody who is here takes a seat, by their key's id. Raises `HexboardError`."""
        key = next((it for it in self._keys.values() if it.id == id), None)
        if key is None:
            raise HexboardError("web.nobody")
        if (before := self.holder(seat)) is not None:  # who had it stays, and watches
            rest = tuple(it for it in before.seats if it != seat)
            self._keys[before.digest] = replace(before, seats=rest)
        self._give(self._keys[key.digest], seat)

    def drop(self, id: str) -> None:
        """Throw one phone off, by its key's id; "" for all of them, and every invitation."""
        self._keys = {digest: key for digest, key in self._keys.items() if id not in ("", key.id)}
        if not id:
            self._open.clear()
        self._keep()

    def _keep(self) -> None:
        """Where it cannot be written, phones lose their seats at a restart, and no more."""
        if self._path is None:
            return
        with contextlib.suppress(OSError):
            keep(self._path, msgspec.json.encode(self.people))


def token(path: Path) -> str:
    """The host's key: random, kept beside the board so that an open page survives a restart. Delete
    the file to make another."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        kept = path.read_text("ascii").strip()
        if len(kept) >= 22:
            return kept
    made = secrets.token_urlsafe(16)
    keep(path, f"{made}\n".encode())
    return made


@contextlib.contextmanager
def lent(path: Path, links: Struct) -> Iterator[None]:
    """Links with a key in them, in a file for this user alone, while they lead anywhere."""
    with contextlib.suppress(OSError):  # then `hexboard link` knows of none
        keep(path, msgspec.json.encode(links))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def called(name: str) -> str:
    """A person's name as it can be shown anywhere: one line, no marks that turn or hide text, and
    none that stands for somebody else."""
    shown = "".join(letter for letter in name if letter.isprintable() and letter != "/")
    shown = " ".join(shown.split())[:LONGEST_NAME]
    return "" if shown.casefold() in {HOST.id, say(message("web.host")), "button"} else shown


def _figures() -> str:
    return f"{secrets.randbelow(10**6):06}"


def _same(one: str, other: str) -> bool:
    """Whether they are equal, in a time that does not tell where they differ."""
    return secrets.compare_digest(_bytes(one), _bytes(other))


def _digest(secret: str) -> str:
    return hashlib.sha256(_bytes(secret)).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # what comes from a page may be anything
