"""Who is out of the game takes their things along (2.8.3, 2.8.4); and a tile whose card its owner
cannot show goes, too (2.5.3)."""

from msgspec.structs import replace

from hexboard.game.position import Refusal
from hexboard.games.hextraction.rules import actions as act
from hexboard.games.hextraction.rules import hands, keywords, turn
from hexboard.games.hextraction.rules.destroying import destroy, destroyed, remove, unplaced
from hexboard.games.hextraction.rules.state import SEATS, State, ended, told, unrolled
from hexboard.games.hextraction.rules.zones import ANY, Copy, copy_of, owner_of, tile_of
from hexboard.games.hextraction.tiles.catalogue import UNREGISTERED
from hexboard.games.hextraction.tiles.tile import effects_of
from hexboard.words import message


def leave(s: State, action: act.Leave) -> State:
    """A seat leaves at once. Its roll counts for nothing and is not owed again, or goes on without
    a win; a tile that it is playing goes back into the pool (K28)."""
    after = told(turn.gone(s, action.seat), "leaves", "2.8.4", seat=SEATS[action.seat])
    if s.roller == action.seat and s.setting.left_roll == "void":
        after = replace(unrolled(after), touches={}, unowed=not s.voided)
    if s.parts and s.player == action.seat:
        after = unplaced(after)
    return after


def give_back(s: State, action: act.Return) -> State:
    """A tile of a hand goes back to its owner, and another is drawn at once (2.8.3.2)."""
    seat, copy = action.seat, action.tile
    after = _taken(replace(s, zones=s.zones.leaves(seat, copy)), copy)
    who, tile, owner = SEATS[seat], tile_of(copy), SEATS[owner_of(copy)]
    after = told(after, "gives_back", "2.8.3.2", seat=who, tile=tile, owner=owner)
    return hands.drawn(after, seat)


def reclaim(s: State, action: act.Reclaim) -> State:
    """An owner's tiles leave the board, the Virtual Pool and the bag; the rest of the owner's hand
    goes into the bag. They take as many balls as they brought (1.0.3, 2.8.3.3); people say
    which."""
    seat = action.seat
    slots = [slot for slot, placed in s.tiles.items() if placed.owner == seat]
    on_bag = tuple(copy for copy in s.zones.top if owner_of(copy) != seat)
    after = replace(s, zones=replace(s.zones.empties(seat), top=on_bag), phase="resolving")
    for slot in slots:
        after = _taken(after, s.tiles[slot].copy, whole=False)
    after = remove(after, slots)
    for copy in [c for c in s.zones.virtual if owner_of(c) == seat]:
        for _ in range(s.zones.virtual.count(copy)):
            after = _taken(replace(after, zones=after.zones.created(copy)), copy)
    listed = in_bag(s, seat)
    for copy in (*listed, *(copy_of(ANY, seat),) * (action.bag - len(listed))):
        after = _taken(replace(after, zones=after.zones.found(copy)), copy)
    tiles, balls = len(slots) + action.bag, s.setting.balls
    return told(after, "reclaims", "2.8.3.2", seat=SEATS[seat], tiles=tiles, balls=balls)


def in_bag(s: State, seat: int) -> tuple[Copy, ...]:
    """The copies of an owner that are listed to be in the bag, once their own hand is there too."""
    free = replace(s.zones.empties(seat), top=()).unnamed
    return tuple(c for c in free for _ in range(free.count(c)) if owner_of(c) == seat)


def bagged(s: State, seat: int) -> tuple[int, int]:
    """The fewest and the most copies of an owner that can be in the bag."""
    listed, zones = len(in_bag(s, seat)), s.zones.empties(seat)
    return listed, min(listed + zones.unnamed.count(ANY), zones.pool)


def _taken(s: State, copy: Copy, whole: bool = True) -> State:
    """An owner has a copy back, in its parts."""
    zones = s.zones
    for part in keywords.pieces(s.setting.tiles, copy) if whole else (copy,):
        zones = zones.taken_back(part)
    return replace(s, zones=zones)


def call_draw(s: State, action: act.CallDraw) -> State:
    """The board is gone, and the game with it (2.8.3.1)."""
    return told(ended(s), "calls_draw", "2.8.3.1", seat=SEATS[action.seat])


def no_card(s: State, action: act.NoCard) -> State:
    """A tile whose rules nobody can show is destroyed; for one of the hand another is drawn."""
    if action.tile in s.tiles:
        phase = "resolving" if s.phase == "idle" else s.phase
        return destroy(replace(s, phase=phase), {action.tile}, "no_card", "2.5.3")
    seat, zones = action.seat, s.zones.leaves(action.seat, action.tile)
    for part in keywords.pieces(s.setting.tiles, action.tile):
        zones = destroyed(s, zones, part)
    after = told(replace(s, zones=zones), "no_card_held", "2.5.3", seat=SEATS[seat])
    return hands.drawn(after, seat)


# ------------------------------------------------------------------------------ what is refused


def refusal(s: State, action: act.Leaving) -> Refusal | None:
    """Nothing prevents leaving (2.8.4, 0.1.1); the rest waits until a vote is over (0.5.1)."""
    seats = range(s.setting.seats)
    if s.phase == "over":
        return message("hextraction.over", "2.9.1")
    match action:
        case act.Leave(seat):
            gone = message("hextraction.cannot_concede", "2.8.4")
            return None if seat in s.present else gone
        case _ if s.vote:
            return message("hextraction.voting", "0.5.1", slot=s.vote.slot)
        case act.Return(seat, copy):
            return _return_refusal(s, seat, copy)
        case act.NoCard(seat, tile):
            return _card_refusal(s, seat, tile)
        case act.Reclaim(seat) | act.CallDraw(seat) if seat in s.present or seat not in seats:
            return message("hextraction.still_in", "2.8.3")
        case act.CallDraw(seat) if seat != s.setting.board_owner:
            return message("hextraction.not_the_board", "2.8.3.1")
        case act.Reclaim() if s.phase != "idle":
            return message("hextraction.unstable", "2.3.2")
        case act.Reclaim(seat, bag):
            return _reclaim_refusal(s, seat, bag)
    return None


def _return_refusal(s: State, seat: int, copy: Copy) -> Refusal | None:
    if not hands.is_copy(s, copy):
        return message("hextraction.no_tile", "2.8.3.2", tile=copy[:40])
    if owner_of(copy) not in s.conceded or seat not in s.present:
        return message("hextraction.still_in", "2.8.3")
    if hands.whole(s, copy) != copy or not s.zones.may_hold(seat, copy):
        return message("hextraction.not_held", "2.8.3.2", tile=tile_of(copy))
    return None


def _reclaim_refusal(s: State, seat: int, bag: int) -> Refusal | None:
    others = (hand.known for other, hand in enumerate(s.zones.hands) if other != seat)
    if any(owner_of(copy) == seat for known in others for copy in known):
        return message("hextraction.in_hands", "2.8.3.2", seat=SEATS[seat])
    least, most = bagged(s, seat)
    if least <= bag <= most:
        return None
    return message("hextraction.in_bag", "2.8.3.2", seat=SEATS[seat], least=least, most=most)


def _card_refusal(s: State, seat: int, tile: str) -> Refusal | None:
    """Only a tile with a star has rules to ask for, on the board or in one's own hand (2.5.1)."""
    if seat not in s.present:
        return message("hextraction.no_voter", "2.5.1")
    placed = s.tiles.get(tile)
    held = hands.is_copy(s, tile) and hands.whole(s, tile) == tile and s.zones.may_hold(seat, tile)
    if placed is None and not held:
        return message("hextraction.not_held", "2.5.1", tile=tile[:40])
    kind = placed.tile if placed else tile_of(tile)
    known = s.setting.tiles[kind]
    acts = effects_of(known) or any(keywords.has(s.setting.tiles, kind, k) for k in KEYWORDS)
    if not acts and kind != UNREGISTERED.id:
        return message("hextraction.no_star", "2.5.1", tile=kind)
    if acts and s.setting.cards == "screen":  # the referee itself knows its rules (K31)
        return message("hextraction.card_on_screen", "K31", tile=kind)
    return None


KEYWORDS = ("virtual", "unique", "combo")
