"""A position of Knee Deep in Hexes as the rest of hexboard sees it."""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise

from msgspec.structs import replace

from hexboard.game.position import Piece, Question, Refusal
from hexboard.game.value import ByValue
from hexboard.games.knee_deep import actions, hands, moves, peeks, phrases, text, turn
from hexboard.games.knee_deep.actions import NONE, Act
from hexboard.games.knee_deep.choices import Going
from hexboard.games.knee_deep.effects import Manual
from hexboard.games.knee_deep.forces import forces
from hexboard.games.knee_deep.ground import ENERGY, HQ, MATERIAL, MOUNTAIN, OUTSIDE, PLAIN, written
from hexboard.games.knee_deep.state import DRAWN_GAME, NAMES, NOBODY, State, on
from hexboard.games.knee_deep.steps import effect_of
from hexboard.games.knee_deep.tints import tints
from hexboard.games.knee_deep.values import KINDS, code, kind_of, seat_of
from hexboard.scene import Mark, Meaning, Scene
from hexboard.words import Message, message
from hexboard.words.errors import IllegalAction

LABELS = ("ACV", "Tank", "Pal", "Ext", "Tur", "Fac")
"""What is written on a unit, by kind; a terminal has no room for more."""
TILES = {MOUNTAIN: "Mtn", MATERIAL: "Mat", ENERGY: "Nrg", HQ: "HQ", HQ + 1: "HQ"}
"""What is written on a field that is not plain."""
MARKER = 16
"""Added to the codes of the three fields around a marker, times its seat + 1."""
SEATS = message("knee_deep.seat_0"), message("knee_deep.seat_1")


class KneeDeep(ByValue, State, frozen=True, eq=False, dict=True):
    """A moment of a game; `State` has its values."""

    hand, arranged = hands.hand, text.arranged
    phrase, acts = phrases.phrase, phrases.ACTS
    withheld = cached_property(phrases.withheld)

    def value(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in ("unseen", *text.LINE))

    # ------------------------------------------------------------------------------ what is so

    @property
    def seats(self) -> tuple[Message, ...]:
        return SEATS

    @property
    def stable(self) -> bool:
        """A card is taken back as a whole: not to the middle of it."""
        return not (self.queue or self.look)

    @property
    def dealt(self) -> bool:
        """A card is drawn or seen, or the starting player is drawn: nobody at the table does it."""
        return moves.situation(self) in ("dealt", "seen", "start")

    @property
    def drawn_from(self) -> str:
        """The starting player is drawn by lot; each side has a deck of its own (KDH-3.4)."""
        start = moves.situation(self) == "start"
        return "start" if start else peeks.drawn_from(self)

    @cached_property
    def legal(self) -> Sequence[Act]:
        return tuple(moves.legal(self))

    @property
    def scores(self) -> tuple[int, int] | None:
        """1 for the winner, 0 for the other; both 0 in a draw (KDH-11)."""
        if self.winner == NOBODY:
            return None
        return int(self.winner == 0), int(self.winner == 1)

    def actor(self, action: Act) -> int:
        return moves.actor(self, action)

    def odds(self, action: Act) -> int:
        """How many of the cards that could come now are this one."""
        if action.verb == "start" or (action.verb == "drawn" and any(self.top[self.receiver][:1])):
            return 1
        if action.verb == "seen":
            return peeks.next_ones(self).count(action.a) if action.a else 1
        return self.unseen[self.receiver].count(action.a) if action.a else self.pile(self.receiver)

    def refusal(self, action: Act) -> Refusal | None:
        return moves.refusal(self, action)

    def play(self, action: Act) -> "KneeDeep":
        """The position after an action. Raises `IllegalAction` for a refused one."""
        if refusal := moves.refusal(self, action):
            raise IllegalAction(refusal)
        after = turn.played(self, action)
        assert isinstance(after, KneeDeep)
        return after

    def question(self, seat: int) -> Question | None:
        """What the rules ask of a seat now; None where they ask nothing."""
        if seat == NOBODY or seat != moves.turn(self):
            return None
        return Question(seat, _asks(self, NAMES[seat]))

    @property
    def standing(self) -> tuple[Message, ...]:
        """What each side has, as everybody may know it, and how a war stands."""
        return (*hands.standing(self), *forces(self))

    @property
    def keeps(self) -> tuple[str, str] | None:
        """A file that people may want to keep now, its name and its text: the terrain, as it is
        drawn."""
        return ("terrain.toml", written(self.setting.ground)) if self.phase == "terrain" else None

    # ------------------------------------------------------------------------------ secrets

    @property
    def private(self) -> bool:
        """Whether hexboard knows cards that not everybody may."""
        return hands.private(self)

    @property
    def deck(self) -> str:
        """Both decks, for the commitment to a shuffle."""
        return hands.decks(self)

    def view(self, seat: int) -> "KneeDeep":
        """What `seat` may know: its own hand, and of others' cards only how many."""
        return hands.view(self, seat)

    def told(self, action: Act, seat: int) -> str:
        """The name of an action as `seat` may hear it."""
        return self.name(hands.told(self, action, seat))

    # ------------------------------------------------------------------------------ the board

    def seen(self) -> bytes:
        """The code of each field (`values`); the three fields around a war zone marker have 16 or
        32 more, for Gondwana's or Bukseon's."""
        codes = bytearray(self.units)
        if self.marker != NOBODY:
            for field in self.crossing.corner:
                codes[field] += MARKER * (self.marker_of + 1)
        return bytes(codes)

    def pieces(self) -> tuple[Piece, ...]:
        """What is not in play, terrain and HQs, and the units, each with its word."""
        ids = self.setting.ground.ids
        tiles = (
            Piece(ids[field], "ground", kind - HQ if kind >= HQ else NOBODY, 1, TILES[kind])
            for field, kind in enumerate(self.terrain)
            if kind in TILES
        )
        holes = (
            Piece(ids[field], "hole") for field, kind in enumerate(self.terrain) if kind == OUTSIDE
        )
        units = (
            Piece(ids[field], "unit", seat_of(unit), 1, LABELS[kind_of(unit)])
            for field, unit in enumerate(self.units)
            if unit
        )
        return (*holes, *tiles, *units)

    @property
    def palette(self) -> tuple[Piece, ...]:
        """The units of both sides, by their letters."""
        units = (code(seat, kind) for seat in (0, 1) for kind in range(len(LABELS)))
        return tuple(
            Piece(text.LETTERS[it], "unit", seat_of(it), 1, LABELS[kind_of(it)]) for it in units
        )

    def places(self, action: Act) -> tuple[str, ...]:
        """The fields one touches to make an action, in order."""
        ids = self.setting.ground.ids
        match action.verb:
            case "move" | "carry":
                return ids[action.a], ids[action.b]
            case "terrain":
                return (ids[action.a],)
            case "deploy" | "build" | "put":
                return (ids[action.b],)
            case "pick" | "destroy" | "lift" if action.a != NONE:
                return (ids[action.a],)
            case "mark" | "shift" if action.a != NONE:
                return tuple(ids[k] for k in self.setting.ground.crossings[action.a].corner)
        return ()

    def scene(self) -> Scene:
        """Terrain and HQs, sectors while a marker is placed, the zone around it, and what can be
        touched now."""
        marks = [*_terrain(self), *_sectors(self), *_zone(self), *_offers(self)]
        if self.winner not in (NOBODY, DRAWN_GAME):
            hq = self.setting.ground.hq[self.winner]
            marks += [Mark(self.setting.ground.ids[field], Meaning.WIN) for field in hq]
        return tuple(marks)

    def rings(self, cell: str) -> Scene:
        """Where the vehicle on a field can be with one, two and three energies, as far as there
        are: the fields of each, with the number (digest 7)."""
        field, ids = self.setting.ground.number[cell], self.setting.ground.ids
        if self.phase != "act" or field not in self.of(self.active, "vehicle"):
            return ()
        rings = islice(_rings(self, field), 3)
        return tuple(
            Mark(ids[end], Meaning.REACH, spent)
            for spent, ring in enumerate(rings, 1)
            for end in sorted(ring)
        )

    def marches(self, cells: Collection[str]) -> Iterator[tuple[Act, ...]]:
        """The fewest movements that bring an own vehicle from one of these fields to another, each
        complete and paid (KDH-7.5), where one is not enough; or a unit and the field that a card
        has it go to."""
        fields = {self.setting.ground.number[cell] for cell in cells}
        if self.queue and isinstance(going := effect_of(self), Going):
            yield from going.both(self, self.queue[0], fields)
        if moves.situation(self) != "act":
            return
        for start in fields.intersection(self.of(self.active, "vehicle")):
            came: dict[int, int] = {}
            for ring in _rings(self, start):
                came |= ring
                for end in sorted(fields.intersection(ring)):
                    if ring[end] != start:
                        yield _march(came, start, end)

    def things(self, code: int) -> tuple[str, ...]:
        """The unit of a code of `seen`, and the marker at a corner of its field."""
        unit, marker = code % MARKER, code // MARKER
        names = (f"{NAMES[seat_of(unit)]}'s {KINDS[kind_of(unit)]}",) if unit else ()
        return (*names, f"{NAMES[marker - 1]}'s marker") if marker else names

    def tried(self, left: str, onto: str, thing: str) -> tuple[str, ...]:
        """A unit marched, was deployed or built; which, where a finger says only where."""
        kind = thing.split(" ")[-1] or KINDS[0]
        own = {self.setting.ground.ids[field] for field in self.of(self.active)}
        if not thing and onto in own:
            return ()  # it is to march
        return f"move {left}-{onto}", f"deploy {kind} {onto}", f"build {kind} {onto}"

    # ------------------------------------------------------------------------------ notation

    def name(self, action: Act) -> str:
        return actions.name(action, self.setting)

    def action(self, name: str) -> Act:
        """The inverse of `name`. Raises `BadText`."""
        return actions.read(name, self.setting)

    def __str__(self) -> str:
        return text.write(self)


def _asks(position: KneeDeep, seat: str) -> Message:
    match moves.situation(position):
        case "terrain":
            return message("knee_deep.ask_terrain", "KDH-1.3")
        case "companions":
            return message("knee_deep.ask_companions", "KDH-4.1", seat=seat)
        case "mulligan":
            return message("knee_deep.ask_mulligan", "KDH-2.3", seat=seat)
        case "discard":
            limit = position.setting.box.values.hand_limit
            return message("knee_deep.ask_discard", "KDH-6.5", seat=seat, limit=limit)
        case "lay":
            return _ask_war(position, seat)
        case "reveal":
            return message("knee_deep.ask_reveal", "KDH-8.5", seat=seat)
        case "damage":
            return message("knee_deep.ask_damage", "KDH-8.8", seat=seat, surplus=position.surplus)
        case "mark":
            return message("knee_deep.ask_mark", "KDH-9.1", seat=seat)
        case "look":
            key = "knee_deep.ask_look_held" if position.setting.held else "knee_deep.ask_look"
            return message(key, "KDH-3.5", seat=seat)
        case "choose":
            return _ask_choice(position, seat)
    material, energy = position.material, position.energy
    return message("knee_deep.ask_act", "KDH-7.0", seat=seat, material=material, energy=energy)


def _ask_war(position: KneeDeep, seat: str) -> Message:
    gondwana, bukseon = position.total(0), position.total(1)
    return message("knee_deep.ask_lay", "KDH-8.4", seat=seat, gondwana=gondwana, bukseon=bukseon)


def _ask_choice(position: KneeDeep, seat: str) -> Message:
    effect, picked = effect_of(position), position.queue[0].picked
    if isinstance(effect, Manual):
        return message("knee_deep.ask_manual", "KDH-3.5", seat=seat, text=effect.text)
    ask = "field" if picked != NOBODY else effect.ask if effect else "drop"
    if effect and ask in ("field", "unit"):
        does = effect.sentence(war=False)
        return message(f"knee_deep.ask_which_{ask}", "KDH-3.5", seat=seat, what=does)
    return message(f"knee_deep.ask_{ask}", "KDH-3.5", seat=seat)


def _terrain(position: KneeDeep) -> list[Mark]:
    """What is not plain, by its kind; `lights` has a tint for each."""
    ids = position.setting.ground.ids
    kinds = enumerate(position.terrain)
    return [Mark(ids[k], Meaning.TERRAIN, kind) for k, kind in kinds if PLAIN < kind < OUTSIDE]


def _sectors(position: KneeDeep) -> list[Mark]:
    """Each sector in a tint that no sector beside it has, while somebody looks for the point where
    three of them meet; HQs stay what they are."""
    if not _marking(position):
        return []
    ground, terrain = position.setting.ground, position.terrain
    found = zip(ground.ids, tints(ground), terrain, strict=True)
    return [Mark(id, Meaning.AREA, tint) for id, tint, kind in found if tint and kind < HQ]


def _marking(position: KneeDeep) -> bool:
    """Whether a marker is placed now, or moved by a card."""
    now = moves.situation(position)
    return now == "mark" or (now == "choose" and any(a.verb == "shift" for a in position.legal))


def _zone(position: KneeDeep) -> list[Mark]:
    """The rim of the zone, who fights in it, what the stronger side could destroy if no card
    came, and the three fields that meet in the marker."""
    if position.marker == NOBODY:
        return []
    ids, crossing = position.setting.ground.ids, position.crossing
    owner = position.marker_of + 1
    plain = (field for field in crossing.rim if position.terrain[field] == PLAIN)
    marks = [Mark(ids[field], Meaning.ZONE, owner) for field in plain]
    for seat in (0, 1):
        marks += [Mark(ids[f], Meaning.SIDE, seat + 1) for f in position.fighters(seat)]
    marks += [Mark(ids[f], Meaning.THREAT, 2 - _ahead(position)) for f in _threatened(position)]
    return marks + [Mark(ids[field], Meaning.MARKER, owner) for field in crossing.corner]


def _ahead(position: KneeDeep) -> int:
    """The seat with more combat in the zone."""
    return int(position.total(1) > position.total(0))


def _threatened(position: KneeDeep) -> list[int]:
    """What could be destroyed if the war were fought as it stands."""
    if position.phase == "damage":
        return []
    ahead = _ahead(position)
    surplus = position.total(ahead) - position.total(1 - ahead)
    return [f for f in position.targets(ahead, surplus) if position.units[f]] if surplus else []


def _offers(position: KneeDeep) -> list[Mark]:
    """What the lights may show of what can be done: never anything that depends on a hand."""
    ids = position.setting.ground.ids
    now = moves.situation(position)
    if now == "act":
        vehicles = position.of(position.active, "vehicle") if position.energy else []
        return [
            *(Mark(ids[field], Meaning.LEGAL) for field in vehicles if position.reach(field)),
            *(Mark(ids[field], Meaning.ONTO) for field in _sites(position)),
        ]
    if now == "choose":
        return [Mark(ids[field], Meaning.LEGAL) for field in _choices(position)]
    if now == "damage":
        fields = position.targets(position.victor, position.surplus)
        return [Mark(ids[field], Meaning.DOOMED) for field in fields]
    return []


def _choices(position: KneeDeep) -> list[int]:
    """The fields of what an effect can choose: one a unit, three an intersection."""
    acts = [act for act in position.legal if act.a != NONE]
    corners = (position.setting.ground.crossings[it.a].corner for it in acts if it.verb == "shift")
    return [*(it.a for it in acts if it.verb == "pick"), *chain.from_iterable(corners)]


def _sites(position: KneeDeep) -> list[int]:
    """The fields for what can be paid and is in the supply: vehicles to deploy, structures to
    build."""
    units = enumerate(position.setting.box.values.units)
    can = {
        unit.vehicle
        for kind, unit in units
        if unit.cost <= position.material and position.supply(position.active, kind)
    }
    fields = position.deploys(position.active) if True in can else []
    return sorted({*fields, *(position.builds(position.active) if False in can else [])})


def _rings(position: KneeDeep, start: int) -> Iterator[dict[int, int]]:
    """For each energy that there is, where the vehicle can then be and was not before, and from
    where it came."""
    seen, edge = {start}, [start]
    for _ in range(position.energy // max(1, position.setting.box.values.move_energy)):
        ring: dict[int, int] = {}
        for here in edge:
            ring |= {end: here for end in _from(position, start, here) if end not in ring}
        ring = {end: here for end, here in ring.items() if end not in seen}
        if not ring:
            return
        yield ring
        seen.update(ring)
        edge = list(ring)


def _from(position: KneeDeep, field: int, here: int) -> list[int]:
    """Where the vehicle of `field` could go if it stood on `here`."""
    if here == field:
        return position.reach(field)
    units = on(position.units, [(field, 0), (here, position.units[field])])
    return replace(position, units=units).reach(here)


def _march(came: dict[int, int], start: int, end: int) -> tuple[Act, ...]:
    """The movements from field to field that lead to an end."""
    stops = [end]
    while stops[0] != start:
        stops.insert(0, came[stops[0]])
    return tuple(Act("move", left, to) for left, to in pairwise(stops))
