"""A position as one line of text, and the position of such a line."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from controller.games.hextraction import hands, pending, votes, zones
from controller.games.hextraction.state import (
    CLEARING,
    IGNORING,
    REFEREE,
    Ball,
    Outcome,
    Placed,
    State,
    Torn,
)
from controller.games.hextraction.tile import effects_of
from controller.games.hextraction.zones import ANY, NOBODY, Zones, owner_of, tile_of

PHASES = ("idle", "rolling", "resolving", "over")


def write(s: State) -> str:
    """The phase, then KEY=VALUE; what is nothing at most moments stands there only if it is."""
    order = {cell.id: i for i, cell in enumerate(s.board.cells)}
    tiles = sorted(s.tiles.items(), key=lambda item: order[item[0]])
    touches = sorted(s.touches.items(), key=lambda item: order[item[0]])
    always = {
        "seat": f"{s.active}/{s.setting.seats}",
        "turn": s.turn,
        "done": f"{s.rolls},{s.plays}",
        "tiles": _list(f"{slot}:{t.copy}:{t.rotation}" for slot, t in tiles),
        "balls": _list(map(_ball_text, s.balls)),
        "touches": _list(f"{slot}:{count}" for slot, count in touches),
        "broken": _flag(s.broken, "yes"),
        "pool": s.pool,
        "hands": _list(s.zones.hands),
        "conceded": _list(s.conceded),
        "rail": _flag(s.rail, "on"),
        "offline": _flag(s.offline, "on"),
        "overdrive": _flag(s.overdrive, "on"),
        "winner": "-" if s.winner is None else s.winner,
    }
    listed = s.zones.unseen.plus(ANY, -s.zones.unseen.count(ANY))
    now = {"unseen": str(listed)} | {name: str(getattr(s.zones, name)) for name in _BAGS}
    now |= {key: _LATER[key][0](s) for key in _LATER}
    pairs = (*always.items(), *((key, value) for key, value in now.items() if value))
    return " ".join((s.phase, *(f"{key}={value}" for key, value in pairs)))


def read(text: str, base: State) -> State:
    """The inverse. `base` gives the setting. Raises `ValueError`, `KeyError` or `IndexError`."""
    phase, *parts = text.split(" ")
    values = dict(part.split("=", 1) for part in parts)
    rolls, plays = _numbers(values["done"])
    winner = values["winner"]
    s = replace(
        base,
        phase=PHASES[PHASES.index(phase)],
        active=int(values["seat"].split("/")[0]),
        turn=int(values["turn"]),
        rolls=rolls,
        plays=plays,
        tiles=dict(_placed(item, base) for item in _items(values["tiles"])),
        balls=tuple(_ball(item, base) for item in _items(values["balls"])),
        touches={slot: int(n) for slot, n in _pairs(values["touches"])},
        broken=values["broken"] == "yes",
        zones=_zones(values),
        conceded=_numbers(values["conceded"]),
        rail=values["rail"] == "on",
        offline=values["offline"] == "on",
        overdrive=values["overdrive"] == "on",
        winner=None if winner == "-" else int(winner),
        **{key: _LATER[key][1](values[key]) for key in _LATER if key in values},
    )
    if not (_sound(s) and _possible(s)):
        raise ValueError(text)
    return s


# ------------------------------------------------------------------------------- parts of the text


def _flag(on: bool, word: str) -> str:
    return word if on else "-"


def _list(items: Iterable[object]) -> str:
    return ",".join(map(str, items))


def _items(text: str) -> list[str]:
    return text.split(",") if text else []


def _pairs(text: str) -> list[list[str]]:
    return [item.split(":") for item in _items(text)]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, _items(text)))


def _claims(claims: dict[tuple[int, str], int]) -> str:
    return _list(f"{seat}:{what}:{n}" for (seat, what), n in sorted(claims.items()))


def _read_claims(text: str) -> dict[tuple[int, str], int]:
    return {(int(seat), what): int(n) for seat, what, n in _pairs(text)}


def _outcome(text: str) -> Outcome:
    seat, word, slot = text.split(":")
    return Outcome(int(seat), {"wins": True, "loses": False}[word], slot)


_LATER: dict[str, tuple[Callable[[State], str], Callable[[str], Any]]] = {
    "voided": (lambda s: "yes" * s.voided, lambda text: text == "yes"),
    "fresh": (lambda s: s.fresh, str),
    "vote": (lambda s: str(s.vote or ""), votes.parse),
    "player": (lambda s: str(s.player) if s.player >= 0 else "", int),
    "roller": (lambda s: str(s.roller) if s.roller >= 0 else "", int),
    "lane": (lambda s: s.lane, str),
    "forced": (lambda s: "yes" * s.forced, lambda text: text == "yes"),
    "doing": (lambda s: str(s.doing or ""), pending.parse),
    "waiting": (
        lambda s: _list(s.waiting),
        lambda text: tuple(map(pending.parse, _items(text))),
    ),
    "crowd": (lambda s: s.crowd, str),
    "happened": (lambda s: _list(s.happened), lambda text: tuple(_items(text))),
    "touched": (
        lambda s: _list(f"{slot}:{id}:{n}" for (slot, id), n in sorted(s.touched.items())),
        lambda text: {(slot, int(id)): int(n) for slot, id, n in _pairs(text)},
    ),
    "freed": (lambda s: _list(s.freed), _numbers),
    "outcomes": (
        lambda s: _list(f"{o.seat}:{('loses', 'wins')[o.wins]}:{o.slot}" for o in s.outcomes),
        lambda text: tuple(map(_outcome, _items(text))),
    ),
    "notes": (
        lambda s: _list(f"{':'.join(note)}:{word}" for note, word in sorted(s.notes.items())),
        lambda text: {(slot, kind, name): word for slot, kind, name, word in _pairs(text)},
    ),
    "parts": (lambda s: _list(s.parts), lambda text: tuple(_items(text))),
    "relief": (lambda s: s.relief, str),
    "torn": (
        lambda s: _list(f"{t.tile}:{t.owner}:{t.how}" for t in s.torn),
        lambda text: tuple(Torn(tile, int(owner), how) for tile, owner, how in _pairs(text)),
    ),
    "stalemate": (lambda s: "yes" * s.stalemate, lambda text: text == "yes"),
    "ending": (lambda s: "yes" * s.ending, lambda text: text == "yes"),
    "eyes": (lambda s: "" if s.eyes == REFEREE else str(s.eyes), int),
    "granted": (lambda s: _claims(s.granted), _read_claims),
    "penalties": (lambda s: _claims(s.penalties), _read_claims),
    "suffered": (
        lambda s: _list(f"{seat}:{what}" for seat, what in s.suffered),
        lambda text: tuple((int(seat), what) for seat, what in _pairs(text)),
    ),
}
"""What is nothing at most moments: how each is written, and read."""


def _placed(item: str, base: State) -> tuple[str, Placed]:
    slot, copy, rotation = item.split(":")
    tile = tile_of(copy)
    known = base.setting.tiles[tile].rotations(base.board.key_edge)
    if slot not in base.board.cell or int(rotation) not in known:
        raise ValueError(item)
    if not hands.is_copy(base, copy):
        raise ValueError(item)
    return slot, Placed(tile, int(rotation), owner_of(copy))


def _zones(values: dict[str, str]) -> Zones:
    """What lies on no slot. The bag is written as a number; what is listed of the unseen, the bag
    and all hands, beside it: the rest of them may be any tile."""
    held = tuple(zones.hand(item) for item in _items(values["hands"]))
    size = int(values["pool"]) + sum(map(len, held))
    unseen = zones.bag(values.get("unseen", ""))
    more = size - len(unseen)
    if ANY in unseen or more < 0 or int(values["pool"]) < 0:
        raise ValueError(values["pool"])
    read = {name: zones.bag(values.get(name, "")) for name in _BAGS}
    return Zones(unseen=unseen.plus(ANY, more), hands=held, **read)


_BAGS = ("virtual", "destroyed", "loose", "reclaimed")


def _ball_text(ball: Ball) -> str:
    before = f"<{ball.before}" if ball.before else ""
    return f"{ball.id}@{ball.place}{'!' if ball.rolling else '.'}{ball.last}{before}"


def _ball(item: str, base: State) -> Ball:
    id, rest = item.split("@", 1)
    mark = max(rest.rfind("!"), rest.rfind("."))
    place, (last, _, before) = rest[:mark], rest[mark + 1 :].partition("<")
    kind, _, where = place.rpartition(":")
    exits = {f"{cell}-{edge}" for cell, edge in base.board.exits}
    known = base.is_place(place) or (
        (kind == "fell" and where in base.board.cell) or (kind == "off" and where in exits)
    )
    if not known or not {last, before} <= {"", *base.board.cell}:
        raise ValueError(item)
    return Ball(int(id), place, rest[mark] == "!", last, before)


# ------------------------------------------------------------------------- whether it can be


def _sound(s: State) -> bool:
    """Whether seats, slots and counts are those of this game."""
    seats, slots = range(s.setting.seats), s.board.cell.keys()
    of_seats = {c[0] for c in (*s.granted, *s.penalties, *s.suffered)}
    of_seats |= {s.active, *s.conceded, *(o.seat for o in s.outcomes)}
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
        and set(s.freed) <= ids
        and all(_known(s, p) for p in (*s.waiting, *((s.doing,) if s.doing else ())))
    )


def _zones_sound(s: State) -> bool:
    """Whether every copy is one of this game, and no hand is known to hold what there is not."""
    copies = {*s.zones.census, *s.parts, *(c for h in s.zones.hands for c in h.known)}
    copies |= {s.relief} - {"", CLEARING, IGNORING}
    torn = {t.how for t in s.torn} <= {"destroy", "discard"} and len(s.zones.unnamed) >= 0
    whole = (c for h in s.zones.hands for c in h.known)
    return (
        torn
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
    if (s.voided or s.phase == "rolling") and s.roller < 0:
        return False
    if s.stable and (s.voided or s.stalemate or s.doing or s.waiting or s.roller >= 0):
        return False
    numbers = [p.number for p in (*s.waiting, *((s.doing,) if s.doing else ()))]
    if len(set(numbers)) < len(numbers) or (s.crowd and s.phase != "resolving"):
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
