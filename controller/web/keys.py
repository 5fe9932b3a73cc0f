"""Keys: who may open this board's page, and which seats each of them speaks for.

The host's key is the token in the link that hexboard prints; six figures beside it make the phone
that gives them a host's, once. Everybody else is invited by the host, to a seat or to watch, and
may be made a host too. An invitation, a link or six figures, is taken once and gives that phone a
key of its own. Who takes a seat takes it from whoever held it. Only hashes of keys are kept, beside
the board, so that phones keep their seats over a restart.
"""

import contextlib
import hashlib
import secrets
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard.files import keep, unused
from hexboard.words import Message, languages, message, say
from hexboard.words.errors import NO_JSON, HexboardError
from hexboard.words.names import alike, apart, one_line

WATCHING, HOSTING = -1, -2
"""The seats of an invitation to watch, and to be a host."""
COLOURS = 6
"""That people may have beside their name; `static/words.js` names them."""
PEOPLE = 64
"""Keys beside the host's."""
GUESSES, GUESSING_S = 5, 60.0
"""Wrong figures of one address that are looked at in so many seconds."""
GUESSES_OF_ALL = 30
"""The same, whoever sends them."""
GUESSES_IN_ALL = 100
"""After so many an invitation counts by its link only: a guesser had one chance in ten thousand."""


class Key(Struct, frozen=True):
    """What a phone may: the host everything, anybody else speak for their seats, or watch. A board
    page watches, and shows the code by which others come to watch."""

    id: str
    seats: tuple[int, ...] = ()
    name: str = ""
    host: bool = False
    colour: int = -1
    """One of `COLOURS`; -1 for none."""
    far: bool = False
    """They are not at the board."""
    digest: str = ""
    """SHA-256 of what the phone's cookie holds, in hex."""


OTHER = {0: 1, 1: 0}
"""Of the two seats whose players a rule can have change places."""
HOST = Key("host", host=True)
BOARD = Key("board")


class Invitation(Struct, frozen=True):
    """A seat that waits for somebody: the secret of its link, and six figures instead of it."""

    seat: int
    secret: str
    figures: str
    after: int
    """How many wrong figures had been tried before it was made."""


class _Known(Struct, frozen=True):
    """All that a board knows at one moment. It is replaced as a whole, and nothing in it changes:
    who reads it in another thread reads it once."""

    keys: Mapping[str, Key]
    """By their digest, in the order in which people came."""
    exchanged: bool
    """A rule of the game has had the first two seats' players change seats."""
    open: Mapping[int, Invitation]
    """Invitations that nobody took, by seat."""

    @property
    def begun(self) -> tuple[Key, ...]:
        """Everybody, with the seats that they began in."""
        keys = tuple(self.keys.values())
        return tuple(map(_other, keys)) if self.exchanged else keys


class Keys:
    """The keys to one board. `path` keeps them; None for a board that forgets them. Who gives the
    six `figures` is a host too; nobody is where they are empty. Raises `OSError` where the file is
    there and cannot be read: it would be replaced, and everybody locked out.

    The web's thread changes them; any thread may ask who has which seat."""

    def __init__(self, token: str, path: Path | None = None, figures: str = "") -> None:
        self._token, self._path = token, path
        self.changed = False
        """The file has them otherwise."""
        self.unkept = False
        """It could not be written when it was to have them last."""
        self.spent: Callable[[str], None] = lambda _: None
        """Hears the host's `figures` that count no more, for others guessed too often."""
        self.trouble: Callable[[Message | None], None] = lambda _: None
        """Hears why the file cannot have them, and None once it has: in whatever thread."""
        self.damaged: Message | None = None
        """That the file was not as hexboard writes it, and who was in it is no longer known."""
        self._known = _Known({}, False, {})
        self._words: frozenset[str] = frozenset()  # for seats, in the game that is played
        self._wrong: deque[tuple[float, str]] = deque(maxlen=GUESSES_OF_ALL)
        """When wrong figures came, s, and from which address."""
        self._guessed = 0
        self._admit(figures)
        if path is not None:
            with contextlib.suppress(FileNotFoundError):
                try:
                    kept = kept_keys(path)
                except NO_JSON:
                    self.damaged, kept = _laid_aside(path), []
                keys = {key.digest: key for key in kept[:PEOPLE] if key.digest}
                self._known = replace(self._known, keys=keys)

    def tell(self, hear: Callable[[str, Message | None], None]) -> None:
        """From now on `hear`s, by the names of notices, what is wrong with the file."""
        self.trouble = partial(hear, "phones")
        hear("damaged phones", self.damaged)

    @property
    def people(self) -> tuple[Key, ...]:
        """Everybody who was invited and came, in that order."""
        return tuple(self._known.keys.values())

    def of(self, secret: str) -> Key | None:
        """The key that a cookie holds."""
        if _same(secret, self._token):
            return HOST
        if _same(secret, screen(self._token)):
            return BOARD
        return self._known.keys.get(_digest(secret))

    def now(self, key: Key) -> Key | None:
        """A key as it is now; None where it no longer counts."""
        return key if key in (HOST, BOARD) else self._known.keys.get(key.digest)

    def seated(self, key: Key, exchanged: bool) -> Key | None:
        """The same, where the first two players have by now `exchanged` seats, or have not: the
        table knows before pages do."""
        known = self._known
        now = known.keys.get(key.digest)
        return _other(now) if now is not None and exchanged != known.exchanged else now

    def cookie(self, port: int) -> str:
        """The name of the cookie that holds a key to this board, whose page is served on a port."""
        return cookie_name(port, self._token)

    def cookies(self, port: int) -> tuple[str, str]:
        """That, and the name of the cookie that holds a board page's."""
        own = self.cookie(port)
        return own, f"{own}-board"

    @property
    def board(self) -> str:
        """The secret of a board page's link."""
        return screen(self._token)

    def holder(self, seat: int) -> Key | None:
        """Whose phone speaks for a seat; None where it is the host's."""
        return _holder(self._known.keys, seat)

    @property
    def players(self) -> dict[int, Key]:
        """Whoever has one seat and no other, by the seat that they began in."""
        return {key.seats[0]: key for key in self._known.begun if len(key.seats) == 1}

    @property
    def shared(self) -> set[int]:
        """The seats, as they began, of whoever has more than one: nobody's name is theirs."""
        return {seat for key in self._known.begun if len(key.seats) > 1 for seat in key.seats}

    def invite(self, seat: int) -> Invitation:
        """Invite somebody to a seat, in place of an invitation to it that nobody took. To watch,
        every page that invites shows the same one."""
        before = self._known.open.get(seat)
        if seat == WATCHING and before is not None and self._lasts(before):
            return before
        taken = {invitation.figures for invitation in self._known.open.values()}
        return self._invite(seat, next(it for it in iter(figures, "") if it not in taken))

    def _invite(self, seat: int, figures: str) -> Invitation:
        made = Invitation(seat, secrets.token_urlsafe(16), figures, self._guessed)
        self._known = replace(self._known, open={**self._known.open, seat: made})
        return made

    def _take_back(self, invitation: Invitation) -> None:
        """It counts no more."""
        open = {seat: it for seat, it in self._known.open.items() if it is not invitation}
        self._known = replace(self._known, open=open)

    def _admit(self, figures: str) -> None:
        """Who gives these figures, once, is a host too."""
        self.figures = figures
        if figures:
            self._invite(HOSTING, figures)

    def accept(
        self,
        code: str,
        name: str,
        held: str,
        now: float,
        far: bool = False,
        colour: int = -1,
        here: Iterable[Key] = (),
        sender: str = "",
    ) -> str:
        """Take the invitation of a link's secret or of six figures, at `now` s, maybe from `far`;
        what the phone's cookie is to hold. A phone that has a key, `held`, keeps it and takes the
        seat as well; the host's own gets another, which is a host's too. Where there are as many
        as there may be, the first goes who only watched, who is not `here` before who is. `sender`
        is the address that it comes from. Raises `HexboardError`."""
        code = "".join(code.split())
        invitation = self._invitation(code, now, sender)
        keys = dict(self._known.keys)
        secret = held if _digest(held) in keys else secrets.token_urlsafe(16)
        key = keys.get(_digest(secret)) or Key(secrets.token_hex(4), digest=_digest(secret))
        if key.digest not in keys and len(keys) >= PEOPLE:
            del keys[_least(keys, {it.digest for it in here}, invitation.seat == WATCHING)]
        hosts = key.host or invitation.seat == HOSTING or _same(held, self._token)
        name = called(name, self._words) or key.name
        key = replace(key, name=name, colour=colour, far=far, host=hosts)
        self._take_back(invitation)
        self._let(_given(keys, key, invitation.seat, self._words))
        return secret

    def _invitation(self, code: str, now: float, sender: str) -> Invitation:
        guess = len(code) == 6
        newest = [who for at, who in self._wrong if now - at < GUESSING_S]
        if guess and (len(newest) == GUESSES_OF_ALL or newest.count(sender) >= GUESSES):
            raise HexboardError("web.too_many_guesses")
        for invitation in self._known.open.values():
            right = invitation.figures if guess else invitation.secret
            if _same(code, right) and (not guess or self._lasts(invitation)):
                return invitation
        if guess:
            self._wrong.append((now, sender))
            self._guessed += 1
            self._spend()
        raise HexboardError("web.no_invitation")

    def _spend(self) -> None:
        """Forget the host's figures once they count no more. Others in their place, by
        themselves, would be guessed in the end."""
        hosts = self._known.open.get(HOSTING)
        if hosts is not None and not self._lasts(hosts):
            self._take_back(hosts)
            spent, self.figures = self.figures, ""
            self.spent(spent)

    def _lasts(self, invitation: Invitation) -> bool:
        """Whether an invitation's figures still count."""
        return self._guessed - invitation.after < GUESSES_IN_ALL

    def exchange(self, exchanged: bool) -> bool:
        """By a rule of the game the players of the first two seats have changed seats, or no longer
        have (a take-back, another game): whose phone, or open invitation, had one has the other.
        Whether that is new. The file keeps who sat where before."""
        known = self._known
        if exchanged == known.exchanged:
            return False
        keys = {digest: _other(key) for digest, key in known.keys.items()}
        moved = (replace(it, seat=OTHER.get(it.seat, it.seat)) for it in known.open.values())
        self._known = _Known(keys, exchanged, {it.seat: it for it in moved})
        return True

    def call(self, said: Sequence[str], names: Sequence[str], colours: Sequence[int]) -> None:
        """A host has `said` who plays the next match: the `names` are what they are called, with
        their `colours`, by seat. A phone goes where its name is said, once: seats may have been
        drawn by lot. Whose name is said nowhere is called from now on as their seat is."""
        keys = dict(self._known.keys)
        goes, by_seat = _drawn(self.players, said, self.shared), dict(enumerate(names))
        hues, taken = dict(enumerate(colours)), {*map(alike, names)}
        for key in self.players.values():
            seat = goes[key.seats[0]]
            name, colour = called(by_seat.get(seat, "")), hues.get(seat, -1)
            as_said = replace(key, seats=(seat,), name=name or apart(key.name, taken))
            taken.add(alike(as_said.name))
            as_said = replace(as_said, colour=colour if colour >= 0 else key.colour)
            keys[key.digest] = _other(as_said) if self._known.exchanged else as_said
        self._let(keys)

    def begin(self, words: frozenset[str]) -> None:
        """A match begins of a game that has these `words` for its seats: they are nobody's name."""
        self._words = words
        keys = {
            digest: key if called(key.name, words) else replace(key, name="")
            for digest, key in self._known.keys.items()
        }
        self._let(keys)

    def _let(self, keys: Mapping[str, Key]) -> None:
        """These are the keys now; those that are others are to be kept."""
        before, self._known = self._known, replace(self._known, keys=keys)
        if keys != before.keys:
            self.changed = True

    def give(self, id: str, seat: int) -> None:
        """Somebody who is here takes a seat, by their key's id. Raises `HexboardError`."""
        key, keys = self._named(id), dict(self._known.keys)
        if (before := _holder(keys, seat)) is not None:  # who had it stays, and watches
            rest = tuple(it for it in before.seats if it != seat)
            keys[before.digest] = replace(before, seats=rest)
        self._let(_given(keys, keys[key.digest], seat, self._words))

    def appoint(self, id: str) -> None:
        """Somebody who is here is a host too, by their key's id. Raises `HexboardError`."""
        key = self._named(id)
        self._let({**self._known.keys, key.digest: replace(key, host=True)})

    def drop(self, id: str) -> None:
        """Throw one phone off, by its key's id."""
        self._let({digest: key for digest, key in self._known.keys.items() if key.id != id})

    def renew(self, token: str, figures: str = "") -> None:
        """The host's key is this one now, and these the figures beside it; all others end, a board
        page's too, and invitations."""
        self._token = token
        self._known = replace(self._known, keys={}, open={})
        self._admit(figures)
        self.changed = True

    def _named(self, id: str) -> Key:
        for key in self.people:
            if key.id == id:
                return key
        raise HexboardError("web.nobody")

    def keep(self) -> None:
        """Let the file have them as they are now, in any thread. Where it cannot be written they
        stay `changed`: a restart would bring back who was thrown off, and forget who came."""
        self.changed = False
        if self._path is None:
            return
        try:
            keep(self._path, msgspec.json.encode(self._known.begun))
        except OSError as error:
            self.changed = self.unkept = True
            why = error.strerror or str(error)
            self.trouble(message("web.unkept", file=str(self._path), why=why))
        else:
            self.unkept = False
            self.trouble(None)


class Holders:
    """Whose phones speak for which seats, by the id of their key; of those without one the host."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._before: dict[int, str] = {}

    def now(self) -> dict[int, str]:
        """All of them, by seat."""
        return {seat: key.id for key in self._keys.people for seat in key.seats}

    def new(self) -> dict[int, str]:
        """Those that are others than when this was asked last."""
        before, self._before = self._before, self.now()
        return dict(self._before.items() - before.items())


def _holder(keys: Mapping[str, Key], seat: int) -> Key | None:
    """Whose phone speaks for a seat."""
    return next((key for key in keys.values() if seat in key.seats), None)


def _given(
    known: Mapping[str, Key], key: Key, seat: int, words: frozenset[str]
) -> Mapping[str, Key]:
    """The keys that were `known` once who has this `key` takes a seat, as well as those that they
    have. The seats are called by `words`."""
    keys = dict(known)
    if (before := _holder(keys, seat)) is not None:
        rest = tuple(it for it in before.seats if it != seat)
        if rest or before.host:
            keys[before.digest] = replace(before, seats=rest)
        else:
            del keys[before.digest]
        key = key if before.digest != key.digest else replace(key, seats=rest)
    seats = tuple(sorted({*key.seats, seat} - {WATCHING, HOSTING}))
    others = (it.name for it in keys.values() if it.seats and it.digest != key.digest)
    name = apart(key.name, {*words, *map(alike, others)}) if seats else key.name
    keys[key.digest] = replace(key, seats=seats, name=name)
    return keys


def _least(keys: Mapping[str, Key], here: Collection[str], watches: bool) -> str:
    """The digest of the first who only watched: of who is not `here`, else of all, unless who comes
    `watches` too. Raises `HexboardError`."""
    watching = [it for it in keys if not (keys[it].seats or keys[it].host)]
    first = [it for it in watching if it not in here] or ([] if watches else watching)
    if not first:
        raise HexboardError("web.too_many_people", most=PEOPLE)
    return first[0]


def _drawn(players: Mapping[int, Key], names: Sequence[str], shared: set[int]) -> dict[int, int]:
    """Where players go, by the seat that they have, whose `names` were said for other seats; who
    has such a seat has one that is left. Nobody takes one of who has several, the `shared`."""
    goes: dict[int, int] = {}
    for seat, key in players.items():
        there = [n for n, name in enumerate(names) if key.name and called(name) == key.name]
        if len(there) == 1 and there[0] not in {*goes.values(), *shared}:
            goes[seat] = there[0]
    goes |= {seat: seat for seat in {*players} - {*goes} - {*goes.values()}}
    left = sorted({*players} - {*goes.values()})
    return goes | dict(zip(sorted({*players} - {*goes}), left, strict=False))


def _other(key: Key) -> Key:
    """A key to the other of the first two seats."""
    return replace(key, seats=tuple(sorted(OTHER.get(seat, seat) for seat in key.seats)))


def cookie_name(port: int, token: str) -> str:
    """The name of the cookie that holds a key to the board with this host's key: browsers tell
    neither ports apart nor computers behind one proxy, whatever those are called."""
    return f"hexboard-{port}-{_digest(f'cookie {token}')[:8]}"


def screen(token: str) -> str:
    """The secret of a board page's link: made of the host's, which it does not tell."""
    return _digest(f"board {token}")[:22]


def kept_keys(path: Path) -> list[Key]:
    """The keys that a file has. Raises `OSError`, or one of `NO_JSON`."""
    return msgspec.json.decode(path.read_bytes().removeprefix(BOM_UTF8), type=list[Key])


def _laid_aside(path: Path) -> Message:
    """A file that is damaged is kept under another name: it would be replaced."""
    aside = unused(path.with_name(f"{path.stem}.damaged{path.suffix}"))
    try:
        path.replace(aside)
    except OSError as error:
        return message("web.lost_phones", file=str(path), why=error.strerror or "?")
    return message("web.damaged_phones", file=str(path), aside=str(aside))


def token(path: Path) -> str:
    """The host's key, kept beside the board so that an open page survives a restart. Raises
    `OSError` where there is one that cannot be read: another would end every link."""
    with contextlib.suppress(FileNotFoundError, UnicodeDecodeError):
        kept = path.read_text("utf-8-sig").strip()
        if len(kept) >= 22 and kept.isascii():
            return kept
    return another_token(path)


def another_token(path: Path) -> str:
    """A host's key in place of the one that is kept there: random. Raises `OSError`."""
    made = secrets.token_urlsafe(16)
    keep(path, f"{made}\n".encode())
    return made


def lend(path: Path, links: object) -> None:
    """Put links that open the page into a file for this user alone, where that can be."""
    with contextlib.suppress(OSError):
        keep(path, msgspec.json.encode(links), lasts=False)


def called(name: str, words: Collection[str] = ()) -> str:
    """A person's name as it can be shown anywhere: one line, no marks that turn or hide text, and
    none that stands for somebody else: the host, a button, or a seat, which is called by `words`
    (`words_of`)."""
    shown = one_line(name.replace("/", ""))
    hosts = {alike(say(message("web.host"), language)) for language in languages()}
    return "" if alike(shown) in {HOST.id, "button", *hosts, *words} else shown


def figures() -> str:
    """Six figures, at random."""
    return f"{secrets.randbelow(10**6):06}"


def _same(one: str, other: str) -> bool:
    """Whether they are equal, in a time that does not tell where they differ."""
    return secrets.compare_digest(_bytes(one), _bytes(other))


def _digest(secret: str) -> str:
    return hashlib.sha256(_bytes(secret)).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # what comes from a page may be anything
