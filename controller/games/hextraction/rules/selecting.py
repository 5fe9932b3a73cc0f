"""What the words of an effect mean on the board: which tiles, slots, balls and lanes, and whether a
condition holds."""

from collections.abc import Iterable

from hexboard.board import EDGES, CellId
from hexboard.games.hextraction.rules.state import State
from hexboard.games.hextraction.tiles.effects import CONDITION
from hexboard.games.hextraction.tiles.tile import Described


def in_order(s: State, slots: Iterable[CellId]) -> tuple[CellId, ...]:
    """Slots in the board's order."""
    chosen = set(slots)
    return tuple([cell for cell in s.board.cell if cell in chosen]) if chosen else ()


def around(s: State, slot: CellId) -> tuple[CellId, ...]:
    """The slots beside a slot."""
    return in_order(s, (n for edge in EDGES if (n := s.board.neighbour(slot, edge))))


def tiles(
    s: State, word: str, slot: CellId, before: CellId = "", ball: int = 0
) -> tuple[CellId, ...]:
    """The slots of the tiles that `word` of an effect of the tile in `slot` means; `before` is
    where the ball came from, the last one that it touched by now is `last`."""
    if word == "last":
        return in_order(s, s.tiles.keys() & {b.last for b in s.balls if b.id == ball})
    return in_order(s, s.tiles.keys() & _tiles(s, word, slot, before))


def _tiles(s: State, word: str, slot: CellId, before: CellId) -> set[CellId]:
    match word.split(":"):
        case ["self"]:
            return {slot}
        case ["adjacent"]:
            return set(around(s, slot))
        case ["others"]:
            return s.tiles.keys() - {slot}
        case ["touched"]:
            return {place for ball in s.balls for place in s.contacts(ball)}
        case ["with_ball"]:
            return {ball.place for ball in s.balls}
        case ["previous"]:
            return {before}
        case ["top_row"]:
            return {c.id for c in s.board.cells if s.board.neighbour(c.id, 1) is None}
        case ["name", tile]:
            return {place for place, placed in s.tiles.items() if placed.tile == tile}
    return set(s.tiles)


def slots(s: State, word: str, slot: CellId, ball: int = 0) -> tuple[CellId, ...]:
    """The slots that `word` means: open ones, or those of tiles that it names."""
    open_ = {cell.id for cell in s.board.cells} - s.tiles.keys()
    match word.split(":"):
        case ["self"] | ["name", _]:
            return tiles(s, word, slot)
        case ["this_fall"]:
            return in_order(s, open_ & {_fall(s, ball)})
        case ["highest_open"]:
            top = max((s.board.cell[place].y for place in open_), default=0)
            return in_order(s, (place for place in open_ if s.board.cell[place].y == top))
        case ["adjacent_open"]:
            return in_order(s, open_ & set(around(s, slot)))
    return in_order(s, open_)


def _fall(s: State, ball: int) -> CellId:
    """The slot that a ball fell through, "" for none."""
    place = next((b.place for b in s.balls if b.id == ball), "")
    return place.removeprefix("fell:") if place.startswith("fell:") else ""


def balls(s: State, word: str, slot: CellId, ball: int) -> tuple[int, ...]:
    """The balls that `word` means. In a trigger area lie, of those on its tile, the one that set it
    off and those that the roll did not move (2.6.5, T.Trigger.3); others set it off themselves."""
    match word:
        case "this":
            return tuple(b.id for b in s.balls if b.id == ball)
        case "on_self":
            return tuple(b.id for b in s.balls if b.place == slot)
        case "in_area":
            here = (b for b in s.balls if b.place == slot)
            return tuple(b.id for b in here if b.id == ball or not b.rolling)
    return tuple(b.id for b in s.balls if not b.place.startswith(("fell:", "off:")))


def lanes(s: State, word: str, slot: CellId) -> tuple[str, ...]:
    """The lanes that `word` means; the slot of a tile stands for its own ramp."""
    own = slot if word == "self" else ""
    if word.startswith("name:") or own:
        return tuple(t for t in tiles(s, word, slot) if _has_ramp(s, t))
    if word == "used" and s.lane:
        return (s.lane,)
    if word == "here":
        return tuple(ramp.id for ramp in s.board.ramps if ramp.cell == slot)
    return ramps(s)


def ramps(s: State) -> tuple[str, ...]:
    """All ramps: the board's lanes, and tiles with a ramp of their own (2.1.1.2)."""
    if not s.setting.ramped:
        return s.board.lanes
    return (*s.board.lanes, *in_order(s, [slot for slot in s.tiles if _has_ramp(s, slot)]))


def retried(s: State) -> tuple[str, ...]:
    """The lanes in which another ball may follow one that is stuck: those to the same slot without
    a ball (2.1.3.1)."""
    return beside(s, s.retry) if s.retry else ()


def beside(s: State, slot: CellId) -> tuple[str, ...]:
    """The lanes to a slot in which no ball lies."""
    held = {ball.place for ball in s.balls}
    return tuple(r.id for r in s.board.ramps if r.cell == slot and r.id not in held)


def _has_ramp(s: State, slot: CellId) -> bool:
    return s.tiles[slot].tile in s.setting.ramped


def holds(s: State, condition: str, slot: CellId, ball: int = 0) -> bool | None:
    """Whether a condition of an effect of the tile in `slot` holds; None if only people know."""
    if CONDITION.fullmatch(condition) is None:
        return None
    known = _holds(s, condition.removeprefix("not ").split(" "), slot, ball)
    return known if known is None else known != condition.startswith("not ")


def _holds(s: State, words: list[str], slot: CellId, ball: int) -> bool | None:
    match words:
        case ["rolled_this_turn"]:
            return s.rolls > 0
        case ["board_full"]:
            return s.full
        case ["power_on"]:
            return s.powered
        case ["fell_through_open"]:
            return bool(slots(s, "this_fall", slot, ball))
        case ["highest_open"]:
            return slot in slots(s, "highest_open", slot)
        case ["top_row"]:
            return s.board.neighbour(slot, 1) is None
        case ["balls_on_self", sign, number]:
            there = sum(b.weight for b in s.balls if slot in s.contacts(b))
            return _compares(there, sign, number)
        case ["count", name, sign, number]:
            return _compares(int(s.notes.get((slot, "count", name), "0")), sign, number)
        case ["installed", tile]:
            return bool(tiles(s, f"name:{tile}", slot))
        case ["below", tile]:
            y = s.board.cell[slot].y
            return any(s.board.cell[t].y > y for t in tiles(s, f"name:{tile}", slot))
        case ["part", part, "=", state]:
            stands = part_of(s, slot, part)
            return stands == state if stands else None
    return None


def _compares(count: int, sign: str, number: str) -> bool:
    return count == int(number) if sign == "=" else count >= int(number)


def part_of(s: State, slot: CellId, part: str) -> str:
    """How a moving part of the tile in a slot stands; "" if nobody has said (2.2.3.1)."""
    tile = s.setting.tiles[s.tiles[slot].tile] if slot in s.tiles else None
    parts = {p.id: p.initial for p in tile.parts} if isinstance(tile, Described) else {}
    return s.notes.get((slot, "part", part), parts.get(part, ""))


def states_of(s: State, slot: CellId, part: str) -> tuple[str, ...]:
    """How a moving part of the tile in a slot can stand."""
    tile = s.setting.tiles[s.tiles[slot].tile] if slot in s.tiles else None
    parts = tile.parts if isinstance(tile, Described) else ()
    return next((p.states for p in parts if p.id == part), ())
