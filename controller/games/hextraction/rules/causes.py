"""What sets effects off, and what lets them sleep."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.games.hextraction.rules import selecting
from hexboard.games.hextraction.rules.pending import Pending
from hexboard.games.hextraction.rules.state import Ball, State
from hexboard.games.hextraction.rules.zones import NOBODY
from hexboard.games.hextraction.tiles.effects import TileEffect
from hexboard.games.hextraction.tiles.tile import effects_of

EVERYWHERE = ("others", "all")
"""Words for tiles that leave none out."""


def effect_of(s: State, pending: Pending) -> TileEffect:
    """The effect that waits, as it stands on its tile's card."""
    return effects_of(s.setting.tiles[pending.tile])[pending.effect]


def awake(s: State, slot: CellId, effect: int) -> bool:
    """Whether an effect of the tile in a slot counts now: it was not voted down (0.4.2), it is
    neither Offline nor Overdrive out of its time (T.Offline, T.Overdrive), and no other tile
    disables it, nor did one."""
    what = s.card(slot)[effect]
    if s.notes.get((slot, "vote", str(effect))) == "no":
        return False
    if (what.offline and not s.offline) or (what.overdrive and not s.overdrive):
        return False
    return not (_was_disabled(s, slot) or _disabled(s, slot))


def _was_disabled(s: State, slot: CellId) -> bool:
    """Whether an effect has disabled the tile in a slot for as long as it lies there."""
    return (slot, "disabled", "by") in s.notes


def _disabled(s: State, slot: CellId) -> bool:
    """Whether an Ongoing effect disables the tile in a slot; keywords go on working (K27)."""
    return any(
        other != slot and slot in selecting.tiles(s, word, other) for other, word in _disabling(s)
    )


def limits_sleep(s: State) -> bool:
    """Whether an Ongoing effect disables every other tile: those of hands, too, which their Limits
    then keep from nowhere (Kill Switch)."""
    return any(word in EVERYWHERE for _, word in _disabling(s))


def _disabling(s: State) -> Iterator[tuple[CellId, str]]:
    """The tiles whose Ongoing effects disable others now: slot, and the word for which. That does
    not depend on whether they are disabled, so that two of them do not argue: either does so, or
    none that another one disables (K42)."""
    found = tuple(_disablers(s))
    for slot, word in found:
        others = (slot in selecting.tiles(s, w, at) for at, w in found if at != slot)
        if s.setting.disablers == "both work" or not any(others):
            yield slot, word


def _disablers(s: State) -> Iterator[tuple[CellId, str]]:
    """The tiles whose Ongoing effects would disable others: slot, and the word for which."""
    for slot, k, effect in _effects(s, "ongoing"):
        words = [o.tiles for o in effect.do if o.op == "disable"]
        voted_down = s.notes.get((slot, "vote", str(k))) == "no"
        if words and not voted_down and not _was_disabled(s, slot) and _hold(s, slot, effect):
            for word in words:
                yield slot, word


def has_keywords(s: State, slot: CellId) -> bool:
    """Whether the keywords of the tile in a slot work. They are effects (T.TileKeyword), but what
    disables effects leaves them alone, if nothing else was agreed (K27)."""
    return s.setting.keywords == "work" or not (_was_disabled(s, slot) or _disabled(s, slot))


def _hold(s: State, slot: CellId, effect: TileEffect) -> bool:
    """Whether the conditions of an Ongoing effect are known to hold, and its gate is open."""
    gate = (s.offline or not effect.offline) and (s.overdrive or not effect.overdrive)
    return gate and all(selecting.holds(s, c, slot) for c in effect.conditions)


def _effects(s: State, cause: str) -> Iterator[tuple[CellId, int, TileEffect]]:
    """All effects of a cause on the board: slot, number on the card, effect."""
    says = s.setting.effective.get(cause)
    if not says:
        return
    for slot in selecting.in_order(s, [at for at, lies in s.tiles.items() if lies.tile in says]):
        for k, effect in enumerate(s.card(slot)):
            if effect.cause == cause and effect.do:
                yield slot, k, effect


def ongoing(s: State) -> Iterator[tuple[CellId, int, TileEffect]]:
    """The Ongoing effects that count now."""
    for slot, k, effect in _effects(s, "ongoing"):
        if awake(s, slot, k) and _hold(s, slot, effect):
            yield slot, k, effect


def standing(s: State, what: str) -> int:
    """How many extra rolls or plays the active seat has from Ongoing effects."""
    if "ongoing" not in s.setting.effective:
        return 0
    return sum(
        operation.n if isinstance(operation.n, int) else 1
        for _, _, effect in ongoing(s)
        for operation in effect.do
        if operation.op == "extra" and operation.what == what
    )


def unkept(effect: TileEffect) -> bool:
    """Whether people have to keep an Ongoing effect: it is in words."""
    by_hand = any(operation.op == "manual" for operation in effect.do)
    return effect.cause == "ongoing" and by_hand and not effect.conditions


def activated(s: State) -> Iterator[tuple[CellId, int, TileEffect]]:
    """The Activated effects that count now and were not used up in this turn (2.7.4.2, 2.7.4.6,
    2.7.4.7, T.Activated)."""
    for slot, k, effect in _effects(s, "activated"):
        most = effect.limit_per_turn
        left = most is None or used(s, slot, k) < most
        held = (selecting.holds(s, c, slot) for c in effect.conditions)
        if left and awake(s, slot, k) and False not in held:
            yield slot, k, effect


def used(s: State, slot: CellId, effect: int) -> int:
    """How often an effect was activated in this turn."""
    return int(s.notes.get((slot, "used", str(effect)), "0"))


def modifying(s: State, what: str) -> tuple[CellId, ...]:
    """The slots of the tiles that change something of the rules now."""
    if "ongoing" not in s.setting.effective:
        return ()
    return tuple(
        slot
        for slot, _, effect in ongoing(s)
        if any(o.op == "modify" and o.what == what for o in effect.do)
    )


def unblocked(s: State, lanes: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some lanes that no effect blocks; where all are blocked, those for which the fewest
    effects are ignored (2.1.2)."""
    blocked = [
        lane
        for slot, _, effect in ongoing(s)
        for o in effect.do
        if o.op == "block"
        for lane in selecting.lanes(s, o.ramp, slot)
    ]
    if not blocked:
        return lanes
    least = min(map(blocked.count, lanes), default=0)
    return tuple(lane for lane in lanes if blocked.count(lane) == least)


def open_ramps(s: State) -> tuple[str, ...]:
    """The ramps that a ball may be rolled from (2.1.1.2)."""
    return unblocked(s, selecting.ramps(s))


def stored(s: State) -> Ball | None:
    """The ball that the next one rolled or placed is taken from, because a tile keeps some for
    that (Countdown)."""
    sources = modifying(s, "ball_source")
    if not sources:
        return None
    return next((b for b in s.balls if b.place in sources and not b.rolling), None)


# ---------------------------------------------------------------------------- the queue


def set_off(s: State, cause: str, slot: CellId, seat: int, ball: int = 0, area: str = "") -> State:
    """With what a cause sets off at the tile in a slot. Each entry of a ball counts (K21)."""
    if cause not in s.setting.effective:
        return s
    for k, effect in enumerate(s.card(slot)):
        if effect.cause == cause and effect.area == area and effect.do and awake(s, slot, k):
            s = queue(s, slot, k, seat, ball)
    return s


def on_play(s: State, slot: CellId, seat: int) -> State:
    """With the On Play effects of a tile just played. They, and all that waits, come once the hand
    is off it (2.2.5, T.OnPlay), or as soon as the play is said (K43)."""
    after = set_off(s, "on_play", slot, seat)
    waits = after.waiting and s.setting.playing == "until stable"
    release = "awaited" if waits else ""
    return replace(after, release=release) if release != after.release else after


def queue(s: State, slot: CellId, effect: int, seat: int, ball: int = 0) -> State:
    """With one effect more that waits."""
    queued = (*s.waiting, *((s.doing,) if s.doing else ()))
    number = max((p.number for p in queued), default=0) + 1
    rolled = s.ball(ball)
    before = rolled.before if rolled and rolled.last == slot else rolled.last if rolled else ""
    pending = Pending(number, slot, s.tiles[slot].tile, effect, seat, ball, before)
    pending = replace(pending, owner=owner(s, slot))
    return replace(s, waiting=(*s.waiting, pending))


def owner(s: State, slot: CellId) -> int:
    """Whose the tile in a slot is: as its copy says, or as people did (0.3.2)."""
    said = s.notes.get((slot, "owner", "seat"), str(NOBODY))
    return int(said) if s.tiles[slot].owner == NOBODY else s.tiles[slot].owner


def owned(s: State, of: Pending, seat: int) -> State:
    """With the owner of a tile said, for this effect and all others of the tile."""

    def known(pending: Pending) -> Pending:
        same = (pending.slot, pending.tile, pending.lies) == (of.slot, of.tile, of.lies)
        return replace(pending, owner=seat) if same else pending

    lies = of.own in s.tiles
    notes = {**s.notes, (of.slot, "owner", "seat"): str(seat)} if lies else s.notes
    waiting = tuple(map(known, s.waiting))
    return replace(s, notes=notes, waiting=waiting, doing=s.doing and known(s.doing))


def purge(s: State, slots: Iterable[CellId], own: bool) -> State:
    """The tiles in these slots are gone, and what they still had to do with them (2.4.5); an effect
    that removed its own tile goes on (`own`, K16), and On Destroy looks back."""
    if not s.doing and not s.waiting:
        return s
    gone = set(slots)

    def ends(pending: Pending) -> bool:
        last_word = effect_of(s, pending).cause == "on_destroy"
        return pending.own in gone & s.tiles.keys() and not last_word

    goes_on = own and s.setting.self_destruction == "finish"
    doing = None if s.doing and ends(s.doing) and not goes_on else s.doing
    return replace(s, doing=doing, waiting=tuple(p for p in s.waiting if not ends(p)))
