"""Knee Deep in Hexes once more, slowly and plainly: what the fast one is compared with.

Written from the digest alone, on the proposed map and with the house deck. A game is a generator:
it yields the names of everything that can be done and is sent the one that is. What lies on the
table stands in a `Table`, places are axial coordinates.
"""

from collections import Counter
from collections.abc import Generator
from itertools import combinations, permutations

Place = tuple[int, int]
Asks = Generator[set[str], str, None]

SIDES = ("gondwana", "bukseon")
TYPES = ("commander", "general", "tech", "trickster")
CENTRES = [
    *[(0, 0), (2, 1), (4, 2), (6, 3), (-3, 2), (-1, 3), (1, 4), (3, 5), (5, 6), (-4, 5), (-2, 6)],
    *[(0, 7), (2, 8), (-7, 7), (-5, 8), (-3, 9), (-1, 10), (1, 11), (-8, 10), (-6, 11), (-4, 12)],
    *[(-2, 13), (-11, 12), (-9, 13), (-7, 14), (-5, 15), (-3, 16), (-12, 15), (-10, 16), (-8, 17)],
    (-6, 18),
]
AROUND = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]  # clockwise from the upper right
SECTOR: dict[Place, int] = {}
NAME: dict[Place, str] = {}
for number, (q, r) in enumerate(CENTRES, 1):
    for k, (dq, dr) in enumerate([(0, 0), *AROUND]):
        SECTOR[q + dq, r + dr] = number
        NAME[q + dq, r + dr] = f"{number}.{k}"
PLACE = {name: place for place, name in NAME.items()}

HQ = [{(2, 1), (1, 2), (2, 2)}, {(-8, 17), (-7, 16), (-8, 16)}]
HQ_NAME = ("2.0", "30.0")
MATERIAL = {(-12, 14), (-8, 10), (-6, 8), (-5, 16), (-1, 2), (0, 10), (2, 8), (6, 4)}
ENERGY = {(-8, 12), (-7, 13), (-6, 11), (-4, 15), (-2, 3), (0, 7), (1, 5), (2, 6)}
MOUNTAIN = {
    *[(-12, 13), (-12, 16), (-10, 11), (-10, 16), (-9, 14), (-8, 8), (-8, 9), (-7, 7), (-7, 12)],
    *[(-7, 14), (-5, 8), (-4, 6), (-3, 5), (-3, 6), (-3, 12), (-3, 13), (-2, 12), (-1, 10)],
    *[(1, 4), (1, 6), (1, 11), (2, 9), (2, 10), (3, 4), (4, 2), (4, 7), (6, 2), (6, 5)],
}
SOLID = MATERIAL | ENERGY | MOUNTAIN | HQ[0] | HQ[1]

SUPPLY = {"acv": 6, "tank": 5, "palooza": 3, "extractor": 4, "turret": 3, "factory": 2}
COST = {"acv": 1, "tank": 2, "palooza": 3, "extractor": 2, "turret": 2, "factory": 2}
STEPS = {"acv": 3, "tank": 2, "palooza": 1}
COMBAT = {"acv": 1, "tank": 2, "palooza": 3, "extractor": 0, "turret": 2, "factory": 0}
HP = {"acv": 1, "tank": 2, "palooza": 3, "extractor": 2, "turret": 2, "factory": 2}
HQ_HP = 4
SCRAPYARD = 12

NEUTRAL = ["sling", "barrier", "skirmish"] * 2
NEUTRAL += ["improvised_turret", "improvised_extractor", "improvised_factory"]
GENERAL = (["war_bots", "carry_all"], ["assault", "airlift"])
CARDS = {
    "commander": ["column", "three_tanks", "long_march", "two_steps"],
    "general": ["scouts", "place_tank"],
    "tech": ["crossfire", "bunker", "one_builder", "batteries"],
    "trickster": ["reserve", "jamming", "sabotage", "theft"],
}
WAR = {"sling": 3, "barrier": 4, "skirmish": 4, "war_bots": 2, "three_tanks": 4, "assault": 3}
WAR |= {"scouts": 1, "column": 0, "crossfire": 2, "bunker": 0, "reserve": 0, "jamming": 0}
ACTION = {"improvised_turret": 2, "improvised_extractor": 2, "improvised_factory": 2}
ACTION |= {"carry_all": 1, "airlift": 1, "place_tank": 3, "long_march": 1, "two_steps": 1}
ACTION |= {"one_builder": 1, "batteries": 1, "sabotage": 2, "theft": 2}


class Over(Exception):
    """The game has ended; who won, or None."""


class Table:
    """What lies on the table, and who is to move."""

    def __init__(self) -> None:
        self.units: dict[Place, tuple[int, str]] = {}
        self.pile = [Counter[str](), Counter[str]()]
        self.hand = [Counter[str](), Counter[str]()]
        self.dropped = [Counter[str](), Counter[str]()]
        self.scrap: list[tuple[int, str]] = []
        self.material = self.energy = self.round = 0
        self.active = 0
        self.marker: tuple[int, ...] | None = None
        self.builders = 2
        self.totals = (0, 0)

    def fields(self, side: int, *kinds: str) -> list[Place]:
        return [p for p, (s, kind) in self.units.items() if s == side and kind in kinds]

    def vehicles(self, side: int) -> list[Place]:
        return self.fields(side, "acv", "tank", "palooza")

    def supply(self, side: int, kind: str) -> int:
        used = [*self.units.values(), *self.scrap]
        return SUPPLY[kind] - used.count((side, kind))


# -------------------------------------------------------------------------------------- geometry


def beside(place: Place) -> list[Place]:
    every = [(place[0] + dq, place[1] + dr) for dq, dr in AROUND]
    return [other for other in every if other in NAME]


def intersections() -> set[tuple[int, ...]]:
    """The sectors of every three fields that touch each other and lie in three sectors."""
    found = set()
    for place in NAME:
        for one, other in combinations(beside(place), 2):
            sectors = {SECTOR[place], SECTOR[one], SECTOR[other]}
            if one in beside(other) and len(sectors) == 3:
                found.add(tuple(sorted(sectors)))
    return found


CROSSINGS = intersections()


def zone(crossing: tuple[int, ...]) -> set[Place]:
    return {place for place in NAME if SECTOR[place] in crossing}


# ---------------------------------------------------------------------------------- what is open


def empty(table: Table) -> set[Place]:
    return {place for place in NAME if place not in SOLID and place not in table.units}


def reach(table: Table, start: Place, steps: int) -> set[Place]:
    """Where a walk of so many steps can end: no enemy and nothing solid on the way (7.2-7.4)."""
    side = table.units[start][0]
    ends, free = set(), empty(table)

    def walk(here: Place, left: int) -> None:
        if here != start and here in free:
            ends.add(here)
        for there in beside(here) if left else []:
            enemy = there in table.units and table.units[there][0] != side
            if there not in SOLID and not enemy:
                walk(there, left - 1)

    walk(start, steps)
    return ends


def deploys(table: Table, side: int) -> set[Place]:
    sources = [*HQ[side], *table.fields(side, "factory")]
    return {place for source in sources for place in beside(source)} & empty(table)


def builds(table: Table, side: int) -> set[Place]:
    acvs = set(table.fields(side, "acv"))
    return {p for p in empty(table) if len(acvs & set(beside(p))) >= table.builders}


def near(table: Table, side: int, steps: int) -> set[Place]:
    """The empty fields that lie near an own vehicle."""
    mine = table.vehicles(side)
    return {p for p in empty(table) if any(apart_at_most(p, m, steps) for m in mine)}


def apart_at_most(one: Place, other: Place, steps: int) -> bool:
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr)) <= steps


# ------------------------------------------------------------------------------------------ cards


def formation(table: Table, side: int, card: str) -> bool:
    """Whether own vehicles in the zone stand in a card's formation (3.17-3.20)."""
    assert table.marker
    mine = [p for p in table.vehicles(side) if p in zone(table.marker)]
    if card == "sling":
        return any((b[0] - a[0], b[1] - a[1]) in TWICE for a, b in permutations(mine, 2))
    for a, b, c in permutations(mine, 3):
        if card == "barrier" and any(b == add(a, d) and c == add(b, d) for d in AROUND):
            return True
        if card == "skirmish" and b in beside(a) and c in beside(a) and c in beside(b):
            return True
    return False


def add(place: Place, step: Place) -> Place:
    return place[0] + step[0], place[1] + step[1]


TWICE = [(2 * dq, 2 * dr) for dq, dr in AROUND]


def holds(table: Table, side: int, card: str, extra: set[Place]) -> bool:
    """Whether the condition of a war card is met (`extra`: units that fight from outside)."""
    assert table.marker
    fighting = [p for p in table.units if p in zone(table.marker) | extra]
    if card in ("sling", "barrier", "skirmish"):
        return formation(table, side, card)
    if card == "three_tanks":
        return [table.units[p] for p in fighting].count((side, "tank")) >= 3
    if card == "crossfire":
        return (side, "turret") in [table.units[p] for p in fighting]
    return True


def playable(table: Table, side: int, card: str) -> bool:
    """Whether an action card can do all that it must (3.11)."""
    if ACTION[card] > table.material:
        return False
    if card.startswith("improvised"):
        return bool(table.supply(side, card[11:]) and near(table, side, 1))
    if card == "place_tank":
        return bool(table.supply(side, "tank") and near(table, side, 2))
    if card in ("carry_all", "airlift"):
        return bool(table.vehicles(side) and empty(table))
    if card in ("long_march", "two_steps"):
        steps = 3 if card == "long_march" else 1
        return any(reach(table, place, steps) for place in table.vehicles(side))
    if card == "sabotage":
        return bool(prey(table, side))
    return card != "theft" or table.hand[1 - side].total() > 0


def prey(table: Table, side: int) -> set[Place]:
    """Enemy ACVs beside an own vehicle."""
    near_mine = {p for mine in table.vehicles(side) for p in beside(mine)}
    return near_mine & set(table.fields(1 - side, "acv"))


def play_card(table: Table, side: int, card: str) -> Asks:
    table.material -= ACTION[card]
    drop(table, side, card)
    if card.startswith("improvised"):
        table.units[(yield from pick(near(table, side, 1)))] = side, card[11:]
    elif card == "place_tank":
        table.units[(yield from pick(near(table, side, 2)))] = side, "tank"
    elif card in ("carry_all", "airlift"):
        start = yield from pick(set(table.vehicles(side)))
        end = yield from pick(empty(table))
        table.units[end] = table.units.pop(start)
    elif card in ("long_march", "two_steps"):
        yield from walk(table, side, 3 if card == "long_march" else 1, may=False)
        if card == "two_steps":
            yield from walk(table, side, 1, may=True)
    elif card == "one_builder":
        table.builders = 1
    elif card == "batteries":
        table.energy += 2
    elif card == "sabotage":
        destroy(table, (yield from pick(prey(table, side))))
    elif card == "theft":
        yield from discard(table, 1 - side)


def pick(fields: set[Place]) -> Generator[set[str], str, Place]:
    name = yield {f"pick {NAME[place]}" for place in fields}
    return PLACE[name.split()[1]]


def walk(table: Table, side: int, steps: int, may: bool) -> Asks:
    """One vehicle walks; where it need not, nobody has to."""
    able = {p for p in table.vehicles(side) if reach(table, p, steps)}
    names = {f"pick {NAME[place]}" for place in able}
    if not able:
        return
    name = yield names | ({"pick none"} if may else set())
    if name == "pick none":
        return
    start = PLACE[name.split()[1]]
    end = yield from pick(reach(table, start, steps))
    table.units[end] = table.units.pop(start)


def drop(table: Table, side: int, card: str) -> None:
    table.hand[side] -= Counter([card])
    table.dropped[side][card] += 1


def discard(table: Table, side: int) -> Asks:
    name = yield {f"discard {card}" for card in table.hand[side]}
    drop(table, side, name.split()[1])


def draw(table: Table, side: int, count: int = 1) -> Asks:
    for _ in range(count):
        if table.pile[side]:
            card = (yield {f"drawn {card}" for card in table.pile[side]}).split()[1]
            table.pile[side] -= Counter([card])
            table.hand[side][card] += 1


# ------------------------------------------------------------------------------------------- game


def game(table: Table) -> Asks:
    """A whole game. Ends with `Over`."""
    for side in (0, 1):
        pairs = {f"companions {a} {b}" for a, b in combinations(TYPES, 2)}
        table.pile[side] = deck(side, (yield pairs).split()[1:])
    first = SIDES.index((yield {"start gondwana", "start bukseon"}).split()[1])
    for side in (first, 1 - first):
        yield from draw(table, side, 3)
    for side in (first, 1 - first):
        if (yield {"keep", "mulligan"}) == "mulligan":
            table.dropped[side] = table.hand[side]
            table.hand[side] = Counter()
            yield from draw(table, side, 3)
    while True:
        table.round += 1
        for side in (first, 1 - first):
            yield from turn(table, side, table.round == 1 and side == first)


def deck(side: int, types: list[str]) -> Counter[str]:
    cards = Counter(NEUTRAL)
    for type in types:
        cards.update((CARDS[type] + (GENERAL[side] if type == "general" else [])) * 2)
    return cards


def turn(table: Table, side: int, very_first: bool) -> Asks:
    """The five phases (5.1)."""
    table.active, table.builders = side, 2
    fields = {p for e in table.fields(side, "extractor") for p in beside(e)}
    table.material = 2 + 2 + len(fields & MATERIAL) - very_first
    table.energy = 1 + 1 + len(fields & ENERGY)
    if not very_first:
        yield from draw(table, side)
    yield from trim(table, side)
    while (name := (yield actions(table, side))) != "end":
        yield from act(table, side, name)
    if table.marker:
        yield from war(table, side)
        table.marker = None
    name = yield {"mark none"} | {"mark " + ",".join(map(str, c)) for c in CROSSINGS}
    if name != "mark none":
        table.marker = tuple(map(int, name.split()[1].split(",")))
    table.material = table.energy = 0
    yield from trim(table, side)


def trim(table: Table, side: int) -> Asks:
    while table.hand[side].total() > 6:
        yield from discard(table, side)


def actions(table: Table, side: int) -> set[str]:
    names = {"end"}
    for kind in COST:
        if table.supply(side, kind) and COST[kind] <= table.material:
            verb = "deploy" if kind in STEPS else "build"
            fields = deploys(table, side) if kind in STEPS else builds(table, side)
            names |= {f"{verb} {kind} {NAME[place]}" for place in fields}
    if table.energy:
        for start in table.vehicles(side):
            ends = reach(table, start, STEPS[table.units[start][1]])
            names |= {f"move {NAME[start]}-{NAME[end]}" for end in ends}
    for card in table.hand[side]:
        if card in ACTION and playable(table, side, card):
            names.add(f"play {card}")
        if table.energy and table.pile[side]:
            names.add(f"recycle {card}")
    if table.material and table.pile[side]:
        names.add("draw")
    return names


def act(table: Table, side: int, name: str) -> Asks:
    verb, *words = name.split()
    if verb in ("deploy", "build"):
        table.units[PLACE[words[1]]] = side, words[0]
        table.material -= COST[words[0]]
    elif verb == "move":
        start, end = (PLACE[word] for word in words[0].split("-"))
        table.units[end] = table.units.pop(start)
        table.energy -= 1
    elif verb == "play":
        yield from play_card(table, side, words[0])
    elif verb == "draw":
        table.material -= 1
        yield from draw(table, side)
    else:
        table.energy -= 1
        drop(table, side, words[0])
        yield from draw(table, side)


# -------------------------------------------------------------------------------------------- war


def war(table: Table, defender: int) -> Asks:
    """The marker of the other side is dealt with by whose turn it is (8)."""
    assert table.marker
    inside, attacker = zone(table.marker), 1 - defender
    for side in (0, 1):
        units = any(s == side for p, (s, _) in table.units.items() if p in inside)
        if not units and not HQ[side] & inside:
            return
    laid: dict[int, str] = {}
    for side in (attacker, defender):
        cards = [c for c in table.hand[side] if c in WAR and holds(table, side, c, set())]
        if not reserves(table, side):  # KDH-3.11: all that a card says must be possible
            cards = [c for c in cards if c != "reserve"]
        name = yield {"lay none"} | {f"lay {card}" for card in cards}
        if name != "lay none":
            laid[side] = name.split()[1]
            table.hand[side] -= Counter([laid[side]])
    order = [side for side in (defender, attacker) if side in laid]
    for side in order:
        yield {f"reveal {laid[side]}"}
    bonus, spared, extra = [0, 0], [0, 0], set[Place]()
    for side in order:
        yield from resolve(table, side, laid[side], bonus, spared, extra)
    gondwana, bukseon = (
        max(0, strength(table, side, inside | extra) + bonus[side]) for side in (0, 1)
    )
    table.totals = gondwana, bukseon
    if gondwana != bukseon:
        winner = 0 if gondwana > bukseon else 1
        surplus = abs(gondwana - bukseon) - spared[1 - winner]
        yield from damage(table, winner, surplus, inside, extra)
    for side in order:
        table.dropped[side][laid[side]] += 1


def resolve(
    table: Table, side: int, card: str, bonus: list[int], spared: list[int], extra: set[Place]
) -> Asks:
    assert table.marker
    inside = zone(table.marker)
    if not holds(table, side, card, extra):
        return
    bonus[side] += WAR[card]
    if card == "scouts":
        yield from draw(table, side)
    elif card == "column":
        tanks = [p for p in table.fields(side, "tank") if p in inside | extra]
        bonus[side] += min(3, len(tanks))
    elif card == "bunker":
        spared[side] += 2
    elif card == "jamming":
        bonus[1 - side] -= 2
    elif card == "reserve" and (close := reserves(table, side)):
        extra.add((yield from pick(close)))


def reserves(table: Table, side: int) -> set[Place]:
    """The vehicles that Reserve can bring into the war: outside, two fields off at most."""
    assert table.marker
    inside = zone(table.marker)
    outside = {p for p in table.vehicles(side) if p not in inside}
    return {p for p in outside if any(apart_at_most(p, z, 2) for z in inside)}


def strength(table: Table, side: int, fields: set[Place]) -> int:
    return sum(COMBAT[k] for p, (s, k) in table.units.items() if s == side and p in fields)


def damage(table: Table, winner: int, left: int, inside: set[Place], extra: set[Place]) -> Asks:
    """Whole units, as long as there is something to destroy and the winner wants to (8.8)."""
    enemy = 1 - winner
    while True:
        targets = {
            f"destroy {NAME[place]}"
            for place, (side, kind) in table.units.items()
            if side == enemy and place in inside | extra and HP[kind] <= left
        }
        if HQ[enemy] & inside and left >= HQ_HP:
            targets.add(f"destroy {HQ_NAME[enemy]}")
        if not targets:
            return
        name = yield targets | {"stop"}
        if name == "stop":
            return
        if name == f"destroy {HQ_NAME[enemy]}":
            raise Over(winner)
        place = PLACE[name.split()[1]]
        left -= HP[table.units[place][1]]
        destroy(table, place)


def destroy(table: Table, place: Place) -> None:
    """A unit to the scrapyard; when that is full the game is over (11)."""
    table.scrap.append(table.units.pop(place))
    if len(table.scrap) == SCRAPYARD:
        lost = [[k for side, k in table.scrap if side == s] for s in (0, 1)]
        hp = [sum(HP[kind] for kind in kinds) for kinds in lost]
        if hp[0] != hp[1]:
            raise Over(0 if hp[0] < hp[1] else 1)
        # who destroyed fewer: whose enemy lost fewer
        if len(lost[0]) != len(lost[1]):
            raise Over(0 if len(lost[1]) < len(lost[0]) else 1)
        raise Over(None)
