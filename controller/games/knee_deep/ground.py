"""The battlefield: fields, sectors, what lies on them, and the intersections where zones are.

A map is a file (`maps/*.toml`); fields are cells of the board by name, and everything else is
computed from them. Inside, a field is the number of its cell in the board's order.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Axial, Board
from hexboard.files import Path_, Source, chosen_file, nearest, read, refuse, sound, told
from hexboard.games.knee_deep.values import FACTIONS, SURENESS
from hexboard.words import Message
from hexboard.words.errors import BadText

PLAIN, MOUNTAIN, MATERIAL, ENERGY, HQ, OUTSIDE = 0, 1, 2, 3, 4, 6
"""What a field is; `HQ` + seat is a part of that seat's HQ."""
GROUNDS = ("plain", "mountain", "material", "energy")
"""By what a field is: those that people can draw."""
FOLDER = Path(__file__).parent / "maps"
T = TypeVar("T", bound=Struct)


class Hqs(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of each HQ."""

    gondwana: tuple[str, ...] = ()
    bukseon: tuple[str, ...] = ()


class MapFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A map as it stands in a file."""

    name: str = ""
    title: str = ""
    board: str = ""
    hq: Hqs = Hqs()
    sectors: dict[str, tuple[str, ...]] = {}
    sector_count: int = 31
    half_turn: bool = False
    status: str = "T"
    material: tuple[str, ...] = ()
    energy: tuple[str, ...] = ()
    mountain: tuple[str, ...] = ()


NEEDED = ("name", "title", "board", "hq", "sectors")
"""What no map can be without."""
MOST_LETTERS = 6
"""Of a sector's name: a field of the picture has room for no more."""


class TerrainFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The terrain of one game, instead of the map's: what the drawing of a game writes."""

    material: tuple[str, ...] = ()
    energy: tuple[str, ...] = ()
    mountain: tuple[str, ...] = ()


class Crossing(Struct, frozen=True):
    """An intersection of exactly three sectors, and the war zone around it (KDH-8.1)."""

    name: str
    """The three sectors: "12,16,17"."""
    sectors: tuple[str, ...]
    corner: tuple[int, ...]
    """The three fields that meet in it."""
    zone: tuple[int, ...]
    rim: tuple[int, ...]


class Battlefield(Struct, frozen=True, eq=False):
    """A map, looked up by the numbers of fields."""

    name: str
    title: str
    status: str
    """How sure it is (`values.SURENESS`)."""
    ids: tuple[str, ...]
    number: dict[str, int]
    place: tuple[Axial, ...]
    at: dict[Axial, int]
    sector: tuple[str, ...]
    terrain: bytes
    printed: bytes
    """The terrain as the files have it; people can draw over it before a game."""
    plain: tuple[int, ...]
    """The fields that a unit can stand on."""
    near: tuple[tuple[int, ...], ...]
    """The neighbours of each field."""
    roads: tuple[tuple[int, ...], ...]
    """Those of them that a vehicle can enter (KDH-1.6)."""
    hq: tuple[tuple[int, ...], ...]
    gates: tuple[tuple[int, ...], ...]
    """The plain fields beside each HQ."""
    crossings: tuple[Crossing, ...]
    crossing: dict[str, int]
    resources: tuple[tuple[int, ...], ...]
    """The resource fields that touch each field."""

    def __eq__(self, other: object) -> bool:
        """The same map, with the same terrain on it."""
        if not isinstance(other, Battlefield):
            return NotImplemented
        return self.near is other.near and self.terrain == other.terrain

    def __hash__(self) -> int:
        return hash((id(self.near), self.terrain))

    @property
    def sectors(self) -> dict[str, str]:
        """The sector of each field, both by name."""
        pairs = zip(self.ids, self.sector, strict=True)
        return {field: sector for field, sector in pairs if sector}

    def distance(self, one: int, other: int) -> int:
        """Steps between two fields as the crow flies."""
        (q, r), (to_q, to_r) = self.place[one], self.place[other]
        dq, dr = to_q - q, to_r - r
        return max(abs(dq), abs(dr), abs(dq + dr))


def ground(name: str, board: Board, terrain: str = "") -> Battlefield:
    """The map of a name, or in a file, on a board; with the terrain of another file, where one is
    named. Raises `BadText` and `BadFile`."""
    return _ground(find(name, FOLDER), chosen_file(terrain), board)


def board_of(name: str) -> str:
    """The board that a map is for. Raises `BadText`, and `BadFile` where it names none."""
    source = Source(*find(name, FOLDER))
    board = source.data.get("board")
    if not isinstance(board, str):
        refuse(source, looked_over(source, None).mistakes)
    return str(board)


def find(name: str, folder: Path) -> tuple[Path, str]:
    """One of ours by its name, or a file by its path, and what stands in it. Raises `BadText`, and
    `BadFile` where it cannot be read."""
    if file := chosen_file(name):
        return file
    ours = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    if name not in ours:
        near = nearest(name, list(ours))
        raise BadText("knee_deep.no_file", name=name, near=near, known=", ".join(ours))
    return ours[name], ours[name].read_text("utf-8")


def _entry(source: Source, kind: type[T]) -> T:
    """What stands in a file. Raises `BadFile` for mistakes of form."""
    entry, mistakes = read(source, kind)
    refuse(source, mistakes)
    assert entry is not None
    return entry


@lru_cache(maxsize=8)
def _ground(file: tuple[Path, str], over: tuple[Path, str] | None, board: Board) -> Battlefield:
    source = Source(*file)
    entry, built, mistakes = looked_over(source, board)
    if entry is not None and entry.board not in ("", board.name):
        fields = {field for sector in entry.sectors.values() for field in sector}
        if not fields <= board.cell.keys():
            raise BadText("knee_deep.board", board=board.name, wants=entry.board)
    refuse(source, mistakes)
    assert entry is not None
    assert built is not None
    if over is None:
        return built
    drawn = Source(*over)
    lies = _entry(drawn, TerrainFile)
    entry = replace(entry, material=lies.material, energy=lies.energy, mountain=lies.mountain)
    built = _build(entry, board)
    refuse(drawn, [*_bad_terrain(drawn, entry, True), *_bad_ground(drawn, built)])
    return built


@lru_cache(maxsize=64)
def redrawn(built: Battlefield, terrain: bytes) -> Battlefield:
    """The map with other terrain on it; the HQs stay."""
    plain = tuple(field for field, kind in enumerate(terrain) if kind == PLAIN)
    return replace(
        built,
        terrain=terrain,
        plain=plain,
        roads=tuple(tuple(o for o in others if terrain[o] == PLAIN) for others in built.near),
        gates=tuple(
            tuple(sorted({o for k in part for o in built.near[k] if terrain[o] == PLAIN}))
            for part in built.hq
        ),
        resources=tuple(
            tuple(o for o in others if terrain[o] in (MATERIAL, ENERGY)) for others in built.near
        ),
    )


def written(built: Battlefield) -> str:
    """The terrain as a file that can be named instead of the map's (`TerrainFile`)."""
    lines = [f"# The terrain of a game of Knee Deep in Hexes on the map {built.name}."]
    for kind, name in ((MATERIAL, "material"), (ENERGY, "energy"), (MOUNTAIN, "mountain")):
        fields = (f'"{built.ids[k]}"' for k, found in enumerate(built.terrain) if found == kind)
        lines.append(f"{name} = [{', '.join(fields)}]")
    return "\n".join(lines) + "\n"


def cut_off(built: Battlefield) -> str:
    """A free field that cannot be reached from the first one, or an HQ without any beside it; ""
    where there is none."""
    for part, gates in zip(built.hq, built.gates, strict=True):
        if part and not gates:
            return built.ids[part[0]]
    lost = set(built.plain) - _reached(built.plain[0], built.roads)
    return built.ids[min(lost)] if lost else ""


def _build(entry: MapFile, board: Board) -> Battlefield:
    """Everything that is computed; names of fields that the board has not are passed over."""
    ids = tuple(cell.id for cell in board.cells)
    number = {id: k for k, id in enumerate(ids)}
    sector = [""] * len(ids)
    for name, fields in entry.sectors.items():
        for id in fields:
            if id in number:
                sector[number[id]] = name
    terrain = bytearray(OUTSIDE if not name else PLAIN for name in sector)
    for kind, fields in _terrain(entry):
        for id in fields:
            if id in number:
                terrain[number[id]] = kind
    place = tuple((cell.q, cell.r) for cell in board.cells)
    at = {p: k for k, p in enumerate(place) if sector[k]}
    near = tuple(
        tuple(at[q + dq, r + dr] for dq, dr in board.steps if (q + dq, r + dr) in at)
        if sector[k]
        else ()
        for k, (q, r) in enumerate(place)
    )
    crossings = tuple(_crossings(sector, near))
    bare = Battlefield(
        name=entry.name,
        title=entry.title,
        status=entry.status,
        ids=ids,
        number=number,
        place=place,
        at=at,
        sector=tuple(sector),
        terrain=b"",
        printed=bytes(terrain),
        plain=(),
        near=near,
        roads=(),
        hq=tuple(
            tuple(number[id] for id in getattr(entry.hq, faction) if id in number)
            for faction in FACTIONS
        ),
        gates=(),
        crossings=crossings,
        crossing={crossing.name: k for k, crossing in enumerate(crossings)},
        resources=(),
    )
    return redrawn(bare, bare.printed)


def _terrain(entry: MapFile) -> Iterator[tuple[int, tuple[str, ...]]]:
    yield HQ, entry.hq.gondwana
    yield HQ + 1, entry.hq.bukseon
    yield MOUNTAIN, entry.mountain
    yield MATERIAL, entry.material
    yield ENERGY, entry.energy


def _crossings(sector: list[str], near: tuple[tuple[int, ...], ...]) -> Iterator[Crossing]:
    """Every point where three fields of three different sectors meet, by sectors."""
    order = {name: k for k, name in enumerate(dict.fromkeys(s for s in sector if s))}
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for field, others in enumerate(near):
        for one, other in combinations(others, 2):
            corner = tuple(sorted((field, one, other)))
            meeting = {sector[k] for k in corner}
            if other in near[one] and len(meeting) == 3:
                found[corner] = tuple(sorted(order[name] for name in meeting))
    by_number = {number: name for name, number in order.items()}
    for corner, numbers in sorted(found.items(), key=lambda item: (item[1], item[0])):
        names = tuple(by_number[number] for number in numbers)
        zone = tuple(field for field, name in enumerate(sector) if name in names)
        inside = set(zone)
        rim = tuple(f for f in zone if len(near[f]) < 6 or any(o not in inside for o in near[f]))
        yield Crossing(",".join(names), names, corner, zone, rim)


# ------------------------------------------------------------------------------------- mistakes


class MapFindings(NamedTuple):
    """What is found in a map file."""

    entry: MapFile | None
    """What stands there, as far as it is right in form."""
    built: Battlefield | None
    """None where its board is not known."""
    mistakes: list[Message]


def looked_over(source: Source, board: Board | None) -> MapFindings:
    """A map file looked over in one round, mistakes of form and of meaning; without its board, as
    far as that goes."""
    source = Source(source.path, source.text)
    absent = [key for key in NEEDED if key not in source.data]
    wrong = [source.mistake("file.required", (), key=key) for key in absent]
    wrong += read(source, MapFile)[1]
    entry = sound(source, MapFile)
    if entry is None:
        return MapFindings(None, None, told(source, wrong))
    built = None if board is None else _build(entry, board)
    found = chain(wrong, _bad_words(source, entry), _bad_sectors(source, entry))
    known = "sectors" in source.data and source.complete(("sectors",))
    found = chain(found, _bad_terrain(source, entry, known))
    if board is not None and built is not None:
        found = chain(found, _bad_fields(source, entry, board, built))
        if source.complete(()) and not absent:
            found = chain(found, _bad_map(source, entry, built))
    return MapFindings(entry, built, told(source, found))


def _bad_words(source: Source, entry: MapFile) -> Iterator[Message]:
    for key in ("name", "title"):
        text = getattr(entry, key)
        if key in source.data and not (text.strip() and text.isprintable() and len(text) <= 60):
            yield source.mistake("knee_deep.no_title", (key,), key=key, most=60)
    if entry.status not in SURENESS:
        yield source.mistake("knee_deep.status", ("status",), status=entry.status[:60])


def _bad_sectors(source: Source, entry: MapFile) -> Iterator[Message]:
    seen: dict[str, str] = {}
    for name, fields in entry.sectors.items():
        at: Path_ = ("sectors", name)
        if not name.isalnum() or len(name) > MOST_LETTERS:
            yield source.mistake("knee_deep.map_sector", at, most=MOST_LETTERS)
        for id in fields:
            if id in seen:
                yield source.mistake("knee_deep.map_twice", at, field=id, sector=seen[id])
            seen[id] = name
        if len(fields) < 2:
            yield source.mistake("knee_deep.map_small", at, sector=name, count=len(fields))
    found, wanted = len(entry.sectors), entry.sector_count
    if found != wanted and "sectors" in source.data and source.complete(("sectors",)):
        at = ("sector_count" if "sector_count" in source.data else "sectors",)
        yield source.mistake("knee_deep.map_sectors", at, found=found, wanted=wanted)


def _bad_fields(
    source: Source, entry: MapFile, board: Board, built: Battlefield
) -> Iterator[Message]:
    """What is wrong with sectors on their board."""
    for name, fields in entry.sectors.items():
        at: Path_ = ("sectors", name)
        for id in (id for id in fields if id not in board.cell):
            near = nearest(id, list(board.cell))
            yield source.mistake("knee_deep.map_field", at, field=id, board=board.name, near=near)
        inside = [k for k, sector in enumerate(built.sector) if sector == name]
        if len(fields) > 1 and inside:
            near_in = tuple(tuple(o for o in n if o in inside) for n in built.near)
            if len(_reached(inside[0], near_in)) < len(inside):
                yield source.mistake("knee_deep.map_torn", at, sector=name)


def _bad_map(source: Source, entry: MapFile, built: Battlefield) -> Iterator[Message]:
    """What is wrong with all of it together, where nothing of it is missing."""
    names = Counter(crossing.name for crossing in built.crossings)
    if not names:
        yield source.mistake("knee_deep.map_crossing", ("sectors",))
    for name in (name for name, count in names.items() if count > 1):
        yield source.mistake("knee_deep.map_crossing_twice", ("sectors",), name=name)
    if entry.half_turn and built.at and (odd := _not_turned(built)):
        yield source.mistake("knee_deep.map_half_turn", ("half_turn",), field=odd)
    yield from _bad_ground(source, built)


def _bad_ground(source: Source, built: Battlefield) -> Iterator[Message]:
    if not built.plain:
        yield source.mistake("knee_deep.map_no_plain", ("mountain",))
    elif lost := cut_off(built):
        yield source.mistake("knee_deep.map_split", ("mountain",), field=lost)


def _bad_terrain(source: Source, entry: MapFile, known: bool) -> Iterator[Message]:
    """What lies where it cannot; `known`, all sectors are, and so what lies in none."""
    paths: tuple[Path_, ...] = (
        *(("hq", "gondwana"), ("hq", "bukseon")),
        *(("mountain",), ("material",), ("energy",)),
    )
    there = {id for fields in entry.sectors.values() for id in fields}
    seen: set[str] = set()
    for at, (_, fields) in zip(paths, _terrain(entry), strict=True):
        for id in fields:
            if known and id not in there:
                near = nearest(id, list(there))
                yield source.mistake("knee_deep.map_no_sector", at, field=id, near=near)
            if id in seen:
                yield source.mistake("knee_deep.map_terrain_twice", at, field=id)
            seen.add(id)
        if at[0] == "hq" and not fields and "hq" in source.data and source.complete(at):
            yield source.mistake("knee_deep.map_no_hq", at)


def uncommon(source: Source, built: Battlefield) -> Iterator[Message]:
    """What can be right in a good map and hardly ever is."""
    for kind, name in ((MATERIAL, "material"), (ENERGY, "energy")):
        if kind not in built.terrain:
            yield source.mistake("knee_deep.map_no_yield", (name,), resource=name)
    one, other = (len(part) for part in built.hq)
    if one != other:
        yield source.mistake("knee_deep.map_hq_sizes", ("hq",), gondwana=one, bukseon=other)
    meeting = {name for crossing in built.crossings for name in crossing.sectors}
    for name in dict.fromkeys(it for it in built.sector if it and it not in meeting):
        yield source.mistake("knee_deep.map_aside", ("sectors", name), sector=name)


def _reached(first: int, near: tuple[tuple[int, ...], ...]) -> set[int]:
    reached, edge = {first}, [first]
    while edge:
        edge = list({other for field in edge for other in near[field]} - reached)
        reached.update(edge)
    return reached


def _not_turned(built: Battlefield) -> str:
    """A field whose counterpart after half a turn is something else; "" where there is none."""
    cells = list(built.at)
    count = len(cells)
    (twice_q, odd_q), (twice_r, odd_r) = (
        divmod(2 * sum(cell[axis] for cell in cells), count) for axis in (0, 1)
    )
    partner: dict[str, str] = {}
    swap = {HQ: HQ + 1, HQ + 1: HQ}
    for field in built.at.values():
        q, r = built.place[field]
        other = built.at.get((twice_q - q, twice_r - r))
        if odd_q or odd_r or other is None:
            return built.ids[field]
        kind = built.terrain[field]
        if built.terrain[other] != swap.get(kind, kind):
            return built.ids[field]
        if partner.setdefault(built.sector[field], built.sector[other]) != built.sector[other]:
            return built.ids[field]
    return ""
