"""A position as one line of text, and the position of such a line."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import asdict, astuple, replace

from hexboard.game.codec import WORD, Codec, among, each, marked, plain
from hexboard.games.hextraction.rules import hands, pending, votes, zones
from hexboard.games.hextraction.rules.destroying import BAG, HAND
from hexboard.games.hextraction.rules.selecting import in_order
from hexboard.games.hextraction.rules.state import (
    CLEARING,
    IGNORING,
    REFEREE,
    Ball,
    EffectOutcome,
    Placed,
    State,
    Torn,
)
from hexboard.games.hextraction.rules.zones import (
    ANY,
    MOST_TILES,
    NOBODY,
    Bag,
    Zones,
    owner_of,
    tile_of,
)
from hexboard.games.hextraction.tiles.tile import effects_of

PHASES = ("idle", "rolling", "resolving", "over")


def write(s: State) -> str:
    """The phase, then KEY=VALUE; what is nothing at most moments stands there only if it is."""
    listed = s.zones.unseen.plus(ANY, -s.zones.unseen.count(ANY))
    values = {**asdict(s), **asdict(s.zones), "unseen": listed}
    values |= {"seat": s.active, "done": (s.rolls, s.plays), "pool": s.pool}
    always = [f"{key}={codec.write(values[key], s)}" for key, codec in ALWAYS.items()]
    texts = ((key, codec.write(values[key], s)) for key, codec in LATER.items())
    return " ".join((s.phase, *always, *(f"{key}={text}" for key, text in texts if text)))


def read(text: str, base: State) -> State:
    """The inverse. `base` gives the setting. Raises `ValueError`, `KeyError` or `IndexError`."""
    phase, *parts = text.split(" ")
    values: dict[str, Any] = {"picked": ()}
    for key, _, word in (part.partition("=") for part in parts):
        values[key] = (ALWAYS.get(key) or LATER[key]).read(word, base)
    rolls, plays = values.pop("done")
    s = replace(
        base,
        phase=PHASES[PHASES.index(phase)],
        active=values.pop("seat"),
        rolls=rolls,
        plays=plays,
        zones=_zones(values),
        **values,
    )
    if not (_sound(s) and _possible(s)):
        raise ValueError(text)
    return s


# ------------------------------------------------------------------------------- parts of the text


def _list(codec: Codec[State]) -> Codec[State]:
    return each(codec, ",")


def _row(text: str, *kinds: Callable[[str], Any]) -> tuple[Any, ...]:
    """Values with colons between."""
    return tuple(kind(part) for kind, part in zip(kinds, text.split(":"), strict=True))


def _joined(row: Iterable[object]) -> str:
    return ":".join(map(str, row))


def _table(*kinds: Callable[[str], Any]) -> Codec[State]:
    """Values by keys of several parts."""
    items = _list(plain(lambda text: _row(text, *kinds), _joined))
    return Codec(
        lambda table, s: items.write([(*key, value) for key, value in sorted(table.items())], s),
        lambda text, s: {row[:-1]: row[-1] for row in items.read(text, s)},
    )


def _by_slot(item: Codec[State]) -> Codec[State]:
    """What is in some slots or of them, in the board's order."""
    items = _list(item)
    return Codec(
        lambda table, s: items.write([(slot, table[slot]) for slot in in_order(s, table)], s),
        lambda text, s: dict(items.read(text, s)),
    )


def _placed(item: str, base: State) -> tuple[str, Placed]:
    slot, copy, rotation = _row(item, str, str, int)
    tile = tile_of(copy)
    known = base.setting.tiles[tile].rotations(base.board.key_edge)
    if slot not in base.board.cell or rotation not in known or not hands.is_copy(base, copy):
        raise ValueError(item)
    return slot, Placed(tile, rotation, owner_of(copy))


def _zones(values: dict[str, Any]) -> Zones:
    """What lies on no slot. The bag is written as a number; what is listed of the unseen, the bag
    and all hands, beside it: the rest of them may be any tile."""
    pool, held, unseen = values.pop("pool"), values.pop("hands"), values.pop("unseen", Bag())
    more = pool + sum(map(len, held)) - len(unseen)
    if ANY in unseen or not 0 <= more <= MOST_TILES or pool < 0:
        raise ValueError(pool)
    read = {name: values.pop(name, Bag()) for name in _BAGS}
    top = values.pop("top", ())
    return Zones(unseen=unseen.plus(ANY, more), hands=held, top=top, **read)


def _ball_text(ball: Ball) -> str:
    before = f"<{ball.before}" if ball.before else ""
    weight = f"*{ball.weight}" if ball.weight != 1 else ""
    return f"{ball.id}@{ball.place}{'!' if ball.rolling else '.'}{ball.last}{before}{weight}"


def _ball(item: str, base: State) -> Ball:
    id, rest = item.split("@", 1)
    rest, _, weight = rest.partition("*")
    mark = max(rest.rfind("!"), rest.rfind("."))
    place, (last, _, before) = rest[:mark], rest[mark + 1 :].partition("<")
    kind, _, where = place.rpartition(":")
    exits = {f"{cell}-{edge}" for cell, edge in base.board.exits}
    known = base.is_place(place) or (
        (kind == "fell" and where in base.board.cell) or (kind == "off" and where in exits)
    )
    if not known or not {last, before} <= {"", *base.board.cell} or int(weight or 1) < 1:
        raise ValueError(item)
    return Ball(int(id), place, rest[mark] == "!", last, before, int(weight or 1))


_numbers = _list(plain(int))
_yes = among({"yes": True, "": False})
_on = among({"on": True, "-": False})
_seat = marked(plain(int), {"": NOBODY})
_pending = plain(pending.parse, lambda effect: str(effect or ""))
_bag = plain(zones.bag)
_BAGS = ("virtual", "destroyed", "loose", "reclaimed")

ALWAYS: dict[str, Codec[State]] = {
    "seat": Codec(
        lambda seat, s: f"{seat}/{s.setting.seats}", lambda text, _: int(text.partition("/")[0])
    ),
    "turn": plain(int),
    "done": _numbers,
    "tiles": _by_slot(
        Codec(lambda item, _: _joined((item[0], item[1].copy, item[1].rotation)), _placed)
    ),
    "balls": _list(Codec(lambda ball, _: _ball_text(ball), _ball)),
    "touches": _by_slot(plain(lambda text: _row(text, str, int), _joined)),
    "broken": among({"yes": True, "-": False}),
    "pool": plain(int),
    "hands": _list(plain(zones.hand)),
    "conceded": _numbers,
    "rail": _on,
    "offline": _on,
    "overdrive": _on,
    "winner": marked(plain(int), {"-": None}),
}
LATER: dict[str, Codec[State]] = {
    "unseen": _bag,
    "top": _list(WORD),
    **dict.fromkeys(_BAGS, _bag),
    "voided": _yes,
    "unowed": _yes,
    "fresh": WORD,
    "earlier": Codec(
        lambda slots, s: ",".join(slots) if s.fresh else "",
        lambda text, _: tuple(text.split(",")),
    ),
    "vote": plain(votes.parse, lambda vote: str(vote or "")),
    "player": _seat,
    "release": among({"awaited": "awaited", "done": "done", "": ""}),
    "roller": _seat,
    "lane": WORD,
    "forced": _yes,
    "doing": _pending,
    "waiting": _list(_pending),
    "strays": _numbers,
    "retry": WORD,
    "crowd": WORD,
    "crowds": _list(WORD),
    "happened": _list(WORD),
    "touched": _table(str, int, int),
    "freed": _numbers,
    "outcomes": _list(
        plain(
            lambda text: EffectOutcome(*_row(text, int, {"wins": True, "loses": False}.get, str)),
            lambda o: _joined((o.seat, ("loses", "wins")[o.wins], o.slot)),
        )
    ),
    "notes": _table(str, str, str, str),
    "parts": _list(WORD),
    "relief": WORD,
    "torn": _list(
        plain(lambda text: Torn(*_row(text, str, int, str)), lambda torn: _joined(astuple(torn)))
    ),
    "resigned": _numbers,
    "picked": _numbers,
    "stalemate": _yes,
    "ending": _yes,
    "eyes": marked(plain(int), {"": REFEREE}),
    "granted": _table(int, str, int),
    "penalties": _table(int, str, int),
    "suffered": _list(plain(lambda text: _row(text, int, str), _joined)),
}
"""What is nothing at most moments."""


# ------------------------------------------------------------------------- whether it can be


def _sound(s: State) -> bool:
    """Whether seats, slots and counts are those of this game."""
    seats, slots = range(s.setting.seats), s.board.cell.keys()
    of_seats = {c[0] for c in (*s.granted, *s.penalties, *s.suffered)}
    of_seats |= {s.active, *s.conceded, *s.resigned, *s.picked, *(o.seat for o in s.outcomes)}
    counts = (s.pool, s.rolls, s.plays, *s.hands, *s.touches.values())
    ids = {ball.id for ball in s.balls} - {0}
    return (
        of_seats <= set(seats)
        and {s.roller, s.player} <= {-1, *seats}
        and len(s.hands) == len(seats)
        and _zones_sound(s)
        and s.winner in (None, *(seats if s.phase == "over" else ()))
        and min(counts) >= 0
        and min((*s.granted.values(), *s.penalties.values()), default=1) > 0
        and len(ids) == len(s.balls)
        and {slot for slot, _, _ in s.notes} <= s.tiles.keys()
        and {*s.touches, *(slot for slot, _ in s.touched)} <= slots
        and min(s.touched.values(), default=1) > 0
        and {*s.freed, *s.strays} <= ids
        and all(_known(s, p) for p in (*s.waiting, *((s.doing,) if s.doing else ())))
    )


def _zones_sound(s: State) -> bool:
    """Whether every copy is one of this game, and no hand is known to hold what there is not."""
    whole = [*s.zones.top, *(c for h in s.zones.hands for c in h.known)]
    copies = {*s.zones.census, *s.parts, *whole}
    copies |= {s.relief} - {"", CLEARING, IGNORING}
    hows = {"destroy", "discard", BAG, *(f"{HAND}{seat}" for seat in range(s.setting.seats))}
    torn = {t.how for t in s.torn} <= hows and len(s.zones.unnamed) >= 0
    return (
        torn
        and len(s.zones.top) <= s.pool
        and all(hands.is_copy(s, copy) for copy in copies)
        and all(t.tile in s.setting.tiles for t in s.torn)
        and all(hands.whole(s, c) == c for c in whole)
        and all(hands.is_virtual(s, copy) for copy in s.zones.virtual)
        and REFEREE <= s.eyes <= s.setting.seats
    )


def _known(s: State, waits: pending.Pending) -> bool:
    """Whether there can be such an effect."""
    tile = s.setting.tiles.get(waits.tile)
    effects = effects_of(tile) if tile else ()
    if waits.slot not in s.board.cell or not 0 <= waits.effect < len(effects):
        return False
    steps = len(effects[waits.effect].cost) + len(effects[waits.effect].do)
    seats = range(s.setting.seats)
    return waits.seat in seats and waits.owner in (NOBODY, *seats) and -1 <= waits.step < steps


def _possible(s: State) -> bool:
    """Whether what is open in a position can be: a vote, a tile just played, a roll, effects."""
    if s.fresh and (s.fresh not in s.tiles or s.player < 0):
        return False
    if s.release and s.stable:
        return False
    if not {*s.earlier} <= s.tiles.keys() - {s.fresh}:
        return False
    if ((s.voided or s.phase == "rolling") and s.roller < 0) or (s.unowed and not s.voided):
        return False
    if {*s.resigned} & {*s.conceded} or (s.stable and s.resigned):
        return False
    if s.stable and (s.voided or s.stalemate or s.doing or s.waiting or s.roller >= 0):
        return False
    numbers = [p.number for p in (*s.waiting, *((s.doing,) if s.doing else ()))]
    if len(set(numbers)) < len(numbers) or (s.crowd and s.phase != "resolving"):
        return False
    if not {s.retry, *s.crowds} <= {"", *s.board.cell} or (s.retry and s.roller < 0):
        return False
    return s.vote is None or _vote_possible(s, s.vote)


def _vote_possible(s: State, vote: votes.Vote) -> bool:
    voted = [seat for seat, _ in vote.ballots]
    return (
        s.phase != "over"
        and vote.slot in s.tiles
        and (vote.effect is None or 0 <= vote.effect < len(s.card(vote.slot)))
        and 0 <= vote.proposer < s.setting.seats
        and set(voted) <= set(s.present)
        and len(set(voted)) == len(voted)
        and s.voter is not None
        and s.voter not in voted
        and not (vote.settled and s.phase != "rolling")
    )
