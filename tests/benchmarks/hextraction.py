"""Random games of Hextraction with every invariant checked after every event.

`python -m tests.benchmarks.hextraction [GAMES]`: 10,000 games unless told. A driver plays legal
moves, calls votes, concedes, and lets balls, tiles and power do what they may, with a few tiles
that have effects or with a whole set, and with rulings either way, other ones in every game.
"""

import sys
import time
from collections import Counter
from random import Random

from msgspec.structs import replace

from hexboard.games.hextraction import Hextraction, parse, start
from hexboard.games.hextraction.rules import legality, moves
from hexboard.games.hextraction.rules.actions import (
    Action,
    Clear,
    Concede,
    End,
    Ignore,
    Play,
    Reveal,
)
from hexboard.games.hextraction.rules.keywords import has, pieces
from hexboard.games.hextraction.rules.position import OPTIONS
from hexboard.games.hextraction.rules.zones import ANY, Bag, copy_of, owner_of, tile_of
from hexboard.games.hextraction.tiles.catalogue import everything
from hexboard.games.hextraction.tiles.tile import effects_of
from tests.benchmarks import reference

LONGEST = 300
"""Events after which a game is cut."""
ACTING = [
    id
    for id, tile in everything().items()
    if effects_of(tile) and not has(everything(), id, "combo")
]
"""Tiles that do something, in one piece."""
COMBOS = (("TeleportIn", "TeleportOut"), ("TileForTwoA", "TileForTwoB"), ("DCXLA", "DCXLB"))
CREATED = ("BackroomsExit", "Spark")
"""What some of them create."""
SECOND = {second for _, second in COMBOS}
"""The parts of Combos that are placed last: no tile of a hand is called so."""


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    begun, ends, events = time.perf_counter(), Counter[str](), 0
    for seed in range(games):
        end, count = play(seed)
        ends[end] += 1
        events += count
    seconds = time.perf_counter() - begun
    print(f"{games} games, {events} events, no invariant broken; ends: {dict(ends)}")
    print(f"{seconds:.1f} s; reference loop {reference():.1f} ms")


def play(seed: int) -> tuple[str, int]:
    """One game: how it ended, and after how many events."""
    random = Random(seed)
    options = _options(random)
    position = _drained(random, start(options=options))
    begun = _tiles(position)
    for count in range(LONGEST):
        if position.scores is not None:
            return ("win" if max(position.scores) else "draw"), count
        action = position.action(_choose(random, position))
        if position.refusal(action):
            continue
        after = position.play(action)
        where = f"seed {seed}, event {count}: {position.name(action)}"
        _conserved(begun, _tiles(after), where)
        _secret(position, action, after, where)
        assert str(parse(str(after), options=options)) == str(after), f"{where}: text"
        _check(position, after, where)
        one_answer(random, after, where)
        if isinstance(action, End) and not after.ending:
            assert after.hands[position.active] <= 3, f"{where}: hand (1.2.3)"
        assert not (position.vote and isinstance(action, End)), f"{where}: vote (0.5.1)"
        position = after
    return "cut", LONGEST


def _check(before: Hextraction, after: Hextraction, where: str) -> None:
    flags = (before.offline, before.overdrive) == (after.offline, after.overdrive)
    assert flags or after.stable, f"{where}: flags changed while unstable (T.Offline.1)"
    ids = [ball.id for ball in after.balls]
    assert len(ids) == len(set(ids)), f"{where}: a ball is in two places"
    assert min(after.pool, *after.hands) >= 0, f"{where}: fewer than no tiles"
    assert not (after.vote and after.scores), f"{where}: a vote after the end"
    assert bool(after.legal) == (after.scores is None), f"{where}: nothing to do"
    assert after.scores is not None or after.active not in after.conceded or not after.stable


def one_answer(random: Random, position: Hextraction, where: str) -> None:
    """Whether there is anything to play, the list of it, and what is refused say the same."""
    listed = legality.playing(position)
    assert legality.may_go_on(position) == bool(listed), f"{where}: may go on (2.2.2)"
    if not position.choosing or moves.legal(position) != tuple(listed):
        return
    assert not any(map(position.refusal, listed)), f"{where}: listed and refused"
    board, tiles = position.board, position.setting.tiles
    for _ in range(5):
        play = Play(random.choice(list(tiles)), random.choice(board.cells).id, random.randrange(6))
        clear, reveal = Clear(play.slot), Reveal(play.tile)
        for action in (play, clear, reveal, Ignore()):
            allowed = position.refusal(action) is None
            assert allowed == (action in listed), f"{where}: {position.name(action)} (2.2.2)"


def _options(random: Random) -> dict[str, str | int]:
    """What is agreed: some tiles that do something and often what is in the bag and whose it is;
    or a whole set."""
    kinds = ["J", "Asterisk", *random.sample(ACTING, 4), *random.choice(COMBOS), *CREATED]
    seats = random.randint(2, 6)
    options: dict[str, str | int] = {
        "seats": seats,
        "sets": ",".join(dict.fromkeys(kinds)),
        "hands": random.choice(("blind", "scan")),
        "virtual": random.choice(("", "BackroomsExit*2", "BackroomsExit~0,BackroomsExit~1")),
    }
    options |= {o.name: str(random.choice(o.choices)) for o in OPTIONS if o.group == "rulings"}
    whole = random.choice(("",) * 6 + ("basic,demo", "published"))
    if whole:
        virtual = "Spark*2" if whole == "basic,demo" else options["virtual"]
        options |= {"sets": whole, "virtual": virtual}
    elif random.random() < 0.5:
        listed = Counter(
            copy_of(random.choice(kinds[:7]), random.randrange(-1, seats)) for _ in range(45)
        )
        listed.update(CREATED)  # who brings what creates them brings them too (T.Create.2)
        options["bag"] = str(Bag({copy: listed[copy] for copy in sorted(listed)}))
    return options


def _drained(random: Random, position: Hextraction) -> Hextraction:
    """The same, late in the evening: often few tiles are left in the bag."""
    zones = position.zones
    few = max(random.choice((0, 5, 54)) - position.pool, -zones.unnamed.count(ANY))
    return replace(position, zones=replace(zones, unseen=zones.unseen.plus(ANY, min(few, 0))))


def _tiles(position: Hextraction) -> Counter[str]:
    """Every copy there is, wherever it lies; Combos in their parts."""
    zones, tiles = position.zones, position.setting.tiles
    found = Counter(placed.copy for placed in position.tiles.values())
    found.update(part for part in position.parts if not has(tiles, part, "virtual"))
    for zone in (zones.virtual, zones.destroyed, zones.loose, zones.reclaimed):
        found.update(zone.counts)
    for copy, n in zones.unseen.counts.items():
        for part in pieces(tiles, copy):
            found[part] += n
    return found


def _conserved(begun: Counter[str], now: Counter[str], where: str) -> None:
    """Nothing is made or lost; what nobody had named, and nothing else, may turn out to be another
    tile: a Combo counts for its parts then (0.1.7, 0.1.8)."""
    named = {copy: n - begun[copy] for copy, n in now.items() if copy != ANY}
    assert all(now[copy] >= n for copy, n in begun.items() if copy != ANY), f"{where}: lost"
    heads = sum(n for copy, n in named.items() if tile_of(copy) not in SECOND)
    seconds = sum(n for copy, n in named.items() if tile_of(copy) in SECOND)
    assert heads == begun[ANY] - now[ANY], f"{where}: a tile was made or lost (0.1.7)"
    assert 0 <= seconds <= heads, f"{where}: half a Combo (2.4.6)"


def _secret(before: Hextraction, action: Action, after: Hextraction, where: str) -> None:
    """What a seat is told of what was done leads it to what it may know of what came of it."""
    for seat in (0, len(before.seats)):
        view = before.view(seat)
        heard = view.action(before.told(action, seat))
        assert view.play(heard) == after.view(seat), f"{where}: what seat {seat} knows"


def _areas(position: Hextraction) -> list[str]:
    """The trigger areas and holes on the board: "C3 stretch"."""
    tiles = ((slot, position.setting.tiles[t.tile]) for slot, t in position.tiles.items())
    return [f"{slot} {effect.area}" for slot, t in tiles for effect in effects_of(t) if effect.area]


def _choose(random: Random, position: Hextraction) -> str:
    """The name of something that may be done or happen now."""
    board, seat = position.board, random.randrange(position.setting.seats)
    chance = random.random()
    if chance < 0.01:
        return position.name(Concede(seat))
    if chance < 0.04 and position.tiles:
        return f"vote destroy {random.choice(list(position.tiles))} {seat}"
    if chance < 0.05:
        return f"endless {seat}"
    if chance < 0.06:
        copy = random.choice(list(position.zones.unseen) or ["J"])
        acts = ("leave", "draw", "nocard {} C3", "reclaim {} 0", "return {} " + copy)
        act = random.choice(acts)
        return act.format(seat) if "{}" in act else f"{act} {seat}"
    if chance < 0.16 and position.setting.hands == "scan":
        copy = random.choice((*position.zones.unnamed, ANY))
        tile, owner = tile_of(copy), owner_of(copy)
        known = tile if tile != ANY else random.choice(list(position.setting.tiles))
        return f"drew {seat} {copy_of(known, owner)}"
    if chance < 0.08:
        return random.choice(("rail on", "rail off", f"drop {random.choice(board.cells).id}"))
    if position.balls and chance < (0.75 if position.phase == "rolling" else 0.12):
        ball, cell = random.choice(position.balls).id, random.choice(board.cells).id
        slot, edge = random.choice(list(board.exits))
        near = random.choice(("B1", "B2", cell))
        common = [f"touch {ball} {near}"] * 6
        rare = [f"wall {ball} {cell}", f"fell {ball} {cell}", f"off {ball} {slot} {edge}"]
        ends = [
            f"rest {ball} {cell}",
            f"gone {ball}",
            f"goal {ball} {random.choice(board.zones).id}",
        ]
        fires = [f"fire {ball} {area}" for area in _areas(position)]
        return random.choice(common + rare + ends + fires)
    return position.name(random.choice(position.legal))


if __name__ == "__main__":
    main()
