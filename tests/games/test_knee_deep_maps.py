"""Knee Deep in Hexes: maps as files, other shapes, and terrain that people draw."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from hexboard.board import Board, load, plain
from hexboard.games import knee_deep
from hexboard.games.knee_deep import KneeDeep, ground
from hexboard.words.errors import BadFile, BadText
from tests.games.knee_deep_checks import check_step
from tests.games.playing import played
from tests.games.test_knee_deep import BOARD, begun, broken, refused

PAIR = ("companions general tech", "companions general tech")


def refusal_of(path: str, board: Board = BOARD, terrain: str = "") -> str:
    with pytest.raises(BadFile) as caught:
        ground.ground(path, board, terrain)
    said = str(caught.value)
    assert said.startswith(f"{terrain or path}:")
    return said


# ---------------------------------------------------------------------------------- other shapes


def test_the_compact_map_of_triads_has_the_intersections_that_were_computed() -> None:
    """42 of them, each zone nine fields, each three sectors meeting once (digest 2.2)."""
    assert knee_deep.board({"map": "triads-31"}) == "hexhex-8"
    built = ground.ground("triads-31", plain("hexhex-8"))
    assert len(built.crossings) == len({c.name for c in built.crossings}) == 42
    assert {len(crossing.zone) for crossing in built.crossings} == {9}
    assert len(built.at) == 93


def test_a_game_is_played_on_triads() -> None:
    board, options = plain("hexhex-8"), {"map": "triads-31"}
    random, position = Random(5), knee_deep.start(board, options)
    holes = [piece for piece in position.pieces() if piece.kind == "hole"]
    assert len(holes) == 169 - 93
    positions = [position]
    while position.legal and len(positions) < 400:
        position = position.play(random.choice(position.legal))
        positions.append(position)
    for before, after in pairwise(positions):
        check_step(before, after)
    assert knee_deep.parse(str(position), board, options) == position


A, B = (2, 1), (-1, 3)  # from a flower to the next in its row, and to one in the next row
ROWS = {(4, 5, 4, 5, 4, 5, 4): 42, (2, 5, 6, 5, 6, 5, 2): 42, (3, 4) * 4 + (3,): 40}
"""Flowers in each row, and the intersections that were counted for it (digest 2.2)."""


def flowers(folder: Path, rows: tuple[int, ...], **moved: str) -> tuple[Board, str]:
    """A board file and a map file with so many flowers in each row, as people could write them;
    `moved` gives a field the place of another."""
    cells: dict[str, tuple[int, int]] = {}
    sectors: list[list[str]] = []
    for row, count in enumerate(rows):
        first = (rows[0] - count - row) // 2  # each row lies half a flower further
        for k in range(first, first + count):
            centre = (k * A[0] + row * B[0], k * A[1] + row * B[1])
            around = [(0, 0), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
            names = [f"s{len(sectors)}_{e}" for e in range(7)]
            sectors.append(names)
            for name, (dq, dr) in zip(names, around, strict=True):
                cells[name] = (centre[0] + dq, centre[1] + dr)
    for name, other in moved.items():
        cells[name], cells[other] = cells[other], cells[name]
    listed = "".join(f'[[cells]]\nid = "{n}"\nq = {q}\nr = {r}\n' for n, (q, r) in cells.items())
    board = folder / "board.toml"
    board.write_text(f'schema = "hexboard/board-1"\nname = "mine"\ntitle = "Mine"\n{listed}')
    lines = [f'name = "mine"\ntitle = "Mine"\nboard = "mine"\nsector_count = {len(sectors)}\n']
    lines += [f'[hq]\ngondwana = ["{sectors[0][0]}"]\nbukseon = ["{sectors[-1][0]}"]\n[sectors]']
    lines += [f"{k} = {names}" for k, names in enumerate(sectors, 1)]
    path = folder / "map.toml"
    path.write_text("\n".join(lines))
    return load(board), str(path)


@pytest.mark.parametrize(("rows", "intersections"), ROWS.items())
def test_other_rows_of_flowers_are_a_matter_of_two_files(
    rows: tuple[int, ...], intersections: int, tmp_path: Path
) -> None:
    board, path = flowers(tmp_path, rows)
    built = ground.ground(path, board)
    assert len(built.crossings) == intersections
    assert {(len(crossing.zone), len(crossing.rim)) for crossing in built.crossings} == {(21, 15)}
    random, position = Random(1), knee_deep.start(board, {"map": path})
    for _ in range(60):
        position = position.play(random.choice(position.legal))
    assert position.phase != "terrain"


def test_a_board_with_the_right_names_in_the_wrong_places_is_refused(tmp_path: Path) -> None:
    board, path = flowers(tmp_path, (4, 5, 4, 5, 4, 5, 4), s0_0="s30_0")
    said = refusal_of(path, board)
    assert "the fields of sector 1 are not connected" in said
    assert "the fields of sector 31 are not connected" in said
    assert said.count("\n") == 1


def test_a_map_needs_its_board() -> None:
    with pytest.raises(BadText, match="needs the board flowers-31") as caught:
        knee_deep.start(plain("hexhex-8"))
    assert "“hexhex-8” has other cells" in str(caught.value)
    with pytest.raises(BadText, match="needs the board hexhex-8"):
        knee_deep.start(BOARD, {"map": "triads-31"})


def test_a_board_of_the_right_name_and_other_fields_is_refused_field_by_field(
    tmp_path: Path,
) -> None:
    path = broken(tmp_path / "map.toml", "maps", 'board = "flowers-31"', 'board = "hexhex-8"')
    assert "the board hexhex-8 has no field “1.0”" in refusal_of(path, plain("hexhex-8"))


def test_sectors_that_are_torn_or_meet_twice_are_refused(tmp_path: Path) -> None:
    old = '1 = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"]'
    new = '1 = ["1.2", "1.5", "31.0"]'
    path = broken(tmp_path / "map.toml", "maps", old, new)
    said = refusal_of(path)
    assert "sector 1 are not connected" in said
    assert "31.0 is in sector 1 already" in said


@pytest.mark.parametrize("name", ["1", "1,2", "1,2,5", "1,1,2", "1.1", "x", "4,3", "12,16,17,18"])
def test_a_marker_stands_only_where_three_sectors_meet(name: str) -> None:
    with pytest.raises(BadText, match="three sectors must meet there"):
        begun().action(f"mark {name}")


# ---------------------------------------------------------------------------------------- terrain


def test_the_terrain_of_a_file_takes_the_place_of_the_maps(tmp_path: Path) -> None:
    path = tmp_path / "terrain.toml"
    path.write_text('material = ["1.0"]\nenergy = ["31.0"]\nmountain = ["3.3", "3.4"]\n')
    built = ground.ground("flowers-31", BOARD, str(path))
    kinds = {built.ids[k]: kind for k, kind in enumerate(built.terrain) if kind}
    hq = {"2.0": 4, "2.3": 4, "2.4": 4, "30.0": 5, "30.1": 5, "30.6": 5}
    assert kinds == hq | {"1.0": 2, "31.0": 3, "3.3": 1, "3.4": 1}
    position = begun(terrain=str(path))
    assert refused(position, "deploy acv 3.4") == "KDH-1.6"
    assert knee_deep.parse(str(position), BOARD, {"hands": "held", "terrain": str(path)})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('mountain = ["2.0"]', "2.0 has another terrain already"),
        ('mountain = ["9.9"]', "9.9 is in no sector"),
        ('energy = ["1.0"]\nmaterial = ["1.0"]', "1.0 has another terrain already"),
        ('mountain = ["1.2", "1.3", "1.4", "2.5", "5.2", "5.1"]', "do not hang together"),
        ('lava = ["1.0"]', "lava"),
        ("mountain = 3", "mountain"),
        ("mountain = [", ""),
    ],
)
def test_a_bad_terrain_is_refused_with_file_and_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "terrain.toml"
    path.write_text(text)
    assert said in refusal_of("flowers-31", terrain=str(path))


@pytest.mark.parametrize("name", ["mountains", "", "map.json"])
def test_a_terrain_that_is_none_is_refused_in_words(name: str) -> None:
    with pytest.raises(BadText, match="is none of these"):
        knee_deep.start(BOARD, {"terrain": name})


def test_a_terrain_file_that_is_not_there_is_named() -> None:
    with pytest.raises(BadFile, match=r"nowhere\.toml"):
        knee_deep.start(BOARD, {"terrain": "nowhere.toml"})


def drawing() -> KneeDeep:
    return knee_deep.start(BOARD, {"terrain": "drawn", "starter": "gondwana", "hands": "held"})


def test_people_draw_the_terrain_and_what_they_drew_is_kept_and_read_again(tmp_path: Path) -> None:
    position = drawing()
    assert refused(position, "companions general tech") == "KDH-5.1"
    assert refused(position, "terrain 2.0 plain") == "KDH-1.3"  # the HQ
    assert refused(position, "terrain 3.0 mountain") == "KDH-1.3"  # it is one
    position = played(position, "terrain 3.0 plain", "terrain 1.0 energy", "terrain 1.0 material")
    assert position.places(position.action("terrain 1.0 plain")) == ("1.0",)
    keeps = position.keeps
    assert keeps is not None
    path = tmp_path / keeps[0]
    path.write_text(keeps[1])
    again = knee_deep.start(BOARD, {"terrain": str(path)})
    assert again.terrain == position.terrain
    begin = played(position, "ready", *PAIR, "keep", "keep")
    assert begin.keeps is None
    assert "deploy acv 3.4" not in {begin.name(act) for act in begin.legal}
    moving = played(begin, "deploy acv 2.2")
    number = moving.setting.ground.number
    assert number["3.0"] in moving.reach(number["2.2"])


def test_a_drawn_position_is_written_and_read() -> None:
    random, position = Random(3), drawing()
    for _ in range(60):
        position = position.play(random.choice(position.legal))
        if position.phase != "terrain":
            break
        options = {"terrain": "drawn", "starter": "gondwana", "hands": "held"}
        assert knee_deep.parse(str(position), BOARD, options) == position


def test_the_last_free_field_stays_free() -> None:
    position = drawing()
    plain = position.setting.ground.plain
    terrain = bytearray(position.terrain)
    for field in plain[1:]:
        terrain[field] = ground.MOUNTAIN
    setting = replace(
        position.setting, ground=ground.redrawn(position.setting.ground, bytes(terrain))
    )
    position = replace(position, setting=setting)
    last = position.setting.ground.ids[plain[0]]
    assert refused(position, f"terrain {last} mountain") == "KDH-1.3"
    assert all(position.refusal(act) is None for act in position.legal)
    assert not any(f" {last} " in position.name(act) for act in position.legal)


def test_a_drawing_that_cuts_fields_off_is_not_ready() -> None:
    walls = [f"terrain {field} mountain" for field in ("1.2", "1.3", "1.4", "1.0", "1.5")]
    position = played(drawing(), *walls)  # 1.1 and 1.6 at the rim are cut off
    assert refused(position, "ready") == "KDH-1.6"
    assert "ready" not in {position.name(act) for act in position.legal}
    gates = ("2.1", "2.2", "2.5", "2.6", "3.5", "3.6", "7.1", "7.6", "6.2", "6.1", "7.0")
    shut = played(
        drawing(),
        *(f"terrain {g} mountain" for g in gates if f"terrain {g} mountain" in LEGAL),
    )
    assert refused(shut, "ready") == "KDH-1.6"


LEGAL = {drawing().name(act) for act in drawing().legal}
