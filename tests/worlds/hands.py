"""What hands do that is no move: sleeves, fingers, tiles lifted, balls picked up or knocked."""

from collections.abc import Callable, Container
from random import Random

from hexboard.board import CellId
from tests.worlds.physics import Contact, Rest
from tests.worlds.room import Room

SLOWLY_S = (0.1, 2.5)
"""How long a sleeve or an arm covers a beam."""


def between(room: Room) -> None:
    """What happens in one gap between moves, by the knobs; `now` goes on with it."""
    knobs = room.knobs
    deeds: list[tuple[float, Callable[[Room], None]]] = [
        (knobs.sleeves, sleeve),
        (knobs.brushes, brush),
        (knobs.second_thoughts, second_thought),
        (knobs.fingers, finger),
        (knobs.arms, arm),
        (knobs.lifts, lift),
        (knobs.picks, pick),
        (knobs.knocks, knock),
        (knobs.drops, drop),
        (knobs.takes, take),
        (knobs.turns, turn),
        (knobs.minutes, minute),
    ]
    due = [deed for mean, deed in deeds for _ in range(room.often(mean))]
    room.random.shuffle(due)
    for deed in due:
        room.wait(room.knobs.think_s / 4)
        deed(room)


def in_roll(room: Room, begin: float, end: float, near: set[CellId]) -> None:
    """Sleeves, arms, fingers and a tile lifted that is not `near` a ball, while balls roll; `now`
    stays what it is."""
    now = room.now
    for _ in range(room.often(room.knobs.in_rolls)):
        room.now = room.random.uniform(begin, end)
        room.random.choice((sleeve, arm, finger, lambda room: lift(room, near)))(room)
    room.now = now


def sleeve(room: Room) -> None:
    """Over one to three neighbouring throats of an end zone."""
    zone = room.random.choice(room.board.zones)
    first = room.random.randrange(len(zone.edges))
    since = room.now
    for edge in zone.edges[first : first + room.random.randint(1, 3)]:
        _flutters(room, f"throat:{zone.cell}-{edge}")
    room.did("sleeve", since, zone.id)


def arm(room: Room) -> None:
    """Over one to three neighbouring ways over the side."""
    first, many = room.random.randrange(len(room.board.exits)), room.random.randint(1, 3)
    since = room.now
    for slot, edge in room.board.exits[first : first + many]:
        _flutters(room, f"exit:{slot}-{edge}")
    room.did("arm", since, room.board.exits[first][0])


def _flutters(room: Room, sensor: str) -> None:
    """A beam that cloth covers, now and then let through."""
    at = room.now + room.random.uniform(0, 0.3)
    end = at + room.random.uniform(*SLOWLY_S)
    while at < end:
        long_s = min(room.random.expovariate(2.0) + 0.02, end - at + 0.02)
        room.felt(sensor, at, long_s)
        at += long_s + room.random.uniform(0.005, 0.2)
    room.now = max(room.now, at)


def brush(room: Room) -> None:
    """A finger at a lane's gate."""
    lane = room.random.choice(room.board.ramps).id
    room.felt(f"gate:{lane}", room.now, room.random.uniform(0.005, 0.15))
    room.did("brush", room.now, lane)
    room.now += 0.2


def finger(room: Room) -> None:
    """Through an open slot, past the beam below it."""
    slots: list[CellId] = room.ground.open_slots or [cell.id for cell in room.board.cells]
    slot = room.random.choice(slots)
    room.felt(f"fall:{slot}", room.now, room.random.uniform(0.02, 0.8))
    room.did("finger", room.now, slot)
    room.now += 0.8


def second_thought(room: Room) -> None:
    """A ball is laid in a lane and taken out again; now and then the finger trips the gate."""
    if not (lanes := room.lanes()):
        return
    lane, ball, since = room.random.choice(lanes), room.new_ball(), room.now
    long_s = room.random.uniform(0.6, 6.0)
    room.felt(f"load:{lane}", since, long_s, ball, "load")
    if room.random.random() < 0.3:
        at = since + room.random.uniform(0, long_s)
        room.felt(f"gate:{lane}", at, room.random.uniform(0.005, 0.1))
    room.now += long_s
    room.did("laid and taken", since, lane, ball)


def lift(room: Room, near: Container[CellId] = ()) -> None:
    """A tile that no ball touches is lifted and put back as it was; none of those `near`."""
    if slots := [slot for slot in room.lonely() if slot not in near]:
        _lifted(room, room.random.choice(slots), 0, "lifted")


def turn(room: Room) -> None:
    """The same, but it is put back turned, and nobody says so."""
    slots = [s for s in room.lonely() if len(_turns(room, s)) > 1]
    if slots:
        slot = room.random.choice(slots)
        rotation = room.ground.tiles[slot][1]
        others = [turn for turn in _turns(room, slot) if turn != rotation]
        _lifted(room, slot, room.random.choice(others) - rotation, "turned")


def _turns(room: Room, slot: CellId) -> tuple[int, ...]:
    return room.ground.tiles[slot][0].rotations(room.board.key_edge)


def _lifted(room: Room, slot: CellId, by: int, kind: str) -> None:
    since = room.now
    tile, rotation = room.lift(slot)
    room.now += room.random.uniform(0.4, 6.0)
    room.lay(slot, tile, (rotation + by) % 6)
    room.did(kind, since, slot)


def pick(room: Room) -> None:
    """A resting ball is picked up, looked at, and put back."""
    if not (ball := _some_ball(room)):
        return
    since, rest = room.now, room.resting[ball]
    room.take(ball)
    room.now += room.random.uniform(0.5, 3.0)
    contact = None
    if rest.contact is not None:
        contact = Contact(rest.contact.sensor, room.now, None, ball, "lean")
        room.contacts.append(contact)
    room.resting[ball] = Rest(rest.slot, rest.edge, rest.net, contact)
    room.did("picked up", since, rest.place, ball)


def take(room: Room) -> None:
    """A resting ball is taken off the board."""
    if ball := _some_ball(room):
        room.did("taken", room.now, room.resting[ball].place, ball)
        room.take(ball)


def knock(room: Room) -> None:
    """A resting ball is knocked loose and rolls."""
    if not (ball := _some_ball(room)):
        return
    since, place, run = room.now, room.resting[ball].place, room.run()
    run.loosen(ball, since, room.random.uniform(60, 200))
    run.finish()
    room.ran(run)
    for moved in run.moved:
        room.did("knocked", since, place, moved)


def _some_ball(room: Room) -> int:
    """One that lies in a slot; 0 for none."""
    lying = [ball for ball, rest in room.resting.items() if rest.slot in room.board.cell]
    return room.random.choice(lying) if lying else 0


def drop(room: Room) -> None:
    """A ball drops onto the board."""
    slot, ball, since, run = (
        room.random.choice(room.board.cells).id,
        room.new_ball(),
        room.now,
        room.run(),
    )
    run.drop(ball, slot, since)
    run.finish()
    room.ran(run)
    for moved in run.moved:
        room.did("dropped", since, slot, moved)


def minute(room: Room) -> None:
    """A hand is in the board for a minute: half of all sensors, in no order."""
    since = room.now
    ids = _pulsed(room, room.random)
    for sensor in room.random.choices(ids, k=room.random.randint(30, 90)):
        at = since + room.random.uniform(0, 60)
        room.felt(sensor, at, room.random.uniform(0.01, 0.8))
    room.now += 60
    room.did("minute", since)


def _pulsed(room: Room, random: Random) -> list[str]:
    ids = [s.id for s in room.board.sensors if s.kind not in ("seat", "rail", "button")]
    return random.sample(ids, len(ids) // 2)
