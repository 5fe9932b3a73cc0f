"""The Basic tiles are what the digest (4.2) measured, and seat where a socket meets the key."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.board import EDGES, find, load
from controller.errors import BadFile
from controller.files import shipped
from controller.games.hextraction.tiles import Tile, basic, load_tile, load_tiles

ALL = (1, 2, 3, 4, 5, 6)
BASIC: dict[str, tuple[list[tuple[int, ...]], tuple[int, ...], list[int]]] = {
    "Asterisk": ([ALL], ALL, [0, 1, 2, 3, 4, 5]),
    "DC": ([(1, 3), (4, 6)], (1, 3, 4, 6), [0, 1, 3, 4]),
    "DIC": ([(1, 4), (2, 3), (5, 6)], (1, 4), [0, 3]),
    "J": ([(1, 3)], ALL, [0, 1, 2, 3, 4, 5]),
    "Peace": ([(1, 2, 4, 6)], (1, 2, 4, 6), [0, 2, 3, 4]),
    "S": ([(2, 3, 5, 6)], ALL, [0, 1, 2, 3, 4, 5]),
    "X": ([(1, 2, 4, 5)], ALL, [0, 1, 2, 3, 4, 5]),
    "Z": ([(2, 3, 5, 6)], ALL, [0, 1, 2, 3, 4, 5]),
}
"""Digest 4.2: nets and sockets by printed edge, and the turns that seat on a key at edge 4."""


def tile(name: str) -> Tile:
    return basic()[name]


def test_the_basic_pack_is_the_eight_tiles_of_the_digest() -> None:
    assert set(basic()) == set(BASIC)


@pytest.mark.parametrize("name", BASIC)
def test_a_basic_tile_has_the_nets_and_sockets_of_the_digest(name: str) -> None:
    nets, sockets, rotations = BASIC[name]
    assert sorted(tuple(sorted(net)) for net in tile(name).nets) == sorted(nets)
    assert sorted(tile(name).sockets) == list(sockets)
    assert list(tile(name).rotations(4)) == rotations
    assert load(find("hextraction-22")).key_edge == 4


def test_dic_turned_by_one_joins_2_5_3_4_and_6_1() -> None:
    """Printed 1-4, 2-3, 5-6; each turned one sixth clockwise."""
    assert tile("DIC").doors(1) == {2: (5,), 5: (2,), 3: (4,), 4: (3,), 6: (1,), 1: (6,)}


def test_j_unturned_leads_from_1_to_3_and_is_closed_elsewhere() -> None:
    assert tile("J").doors(0) == {1: (3,), 3: (1,)}


def test_a_ball_can_leave_a_crossing_by_any_other_open_edge() -> None:
    doors = tile("X").doors(0)
    assert {edge: set(ways) for edge, ways in doors.items()} == {
        1: {2, 4, 5},
        2: {1, 4, 5},
        4: {1, 2, 5},
        5: {1, 2, 4},
    }


@given(st.sampled_from(sorted(BASIC)), st.integers(0, 5))
def test_every_way_through_a_tile_can_be_rolled_backwards(name: str, rotation: int) -> None:
    doors = tile(name).doors(rotation)
    assert all(start in doors[to] for start, ways in doors.items() for to in ways)
    assert all(start not in ways for start, ways in doors.items())


@given(st.sampled_from(sorted(BASIC)), st.integers(0, 5), st.sampled_from(EDGES))
def test_the_simulators_odds_are_for_ways_that_exist(name: str, rotation: int, entry: int) -> None:
    odds = tile(name).odds(rotation, entry)
    assert odds.keys() <= set(tile(name).doors(rotation).get(entry, ()))
    assert bool(odds) == bool(tile(name).doors(rotation).get(entry))
    assert all(share > 0 for share in odds.values())


def test_the_crossing_of_the_digest_goes_straight_on_more_often() -> None:
    """Digest 4.5: from 1 to 4 at 0.85 and to 5 at 0.15; turned by two, from 3 to 6 and 1."""
    assert tile("X").odds(0, 1) == {4: 0.85, 5: 0.15}
    assert tile("X").odds(2, 3) == {6: 0.85, 1: 0.15}


# ------------------------------------------------------------------------------- bad tile files

GOOD = shipped("tiles", "basic", "X.toml").read_text("utf-8")


def mistakes(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "Mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BadFile) as caught:
        load_tile(path)
    return str(caught.value).replace(str(path), "Mine.toml").splitlines()


@pytest.mark.parametrize(
    ("old", "new", "says", "line"),
    [
        ('id = "X"', 'id = "X Y"', "“X Y”", 3),
        ('id = "X"', 'id = "X:Y"', "“X:Y”", 3),
        ("sockets = [1, 2, 3, 4, 5, 6]", "sockets = []", "0.2.5", 11),
        ("sockets = [1, 2, 3, 4, 5, 6]", "sockets = [7]", "0.2.5", 11),
        ("nets = [[1, 2, 4, 5]]", "nets = [[1, 2, 4, 5], [5, 6]]", "edge 5 stands in two nets", 9),
        ("nets = [[1, 2, 4, 5]]", "nets = [[0, 1, 2, 4, 5]]", "0 is not an edge", 9),
        ("hexboard/tile-1", "hexboard/tile-9", "hexboard/tile-9", 2),
        ("to = 4\np = 0.85", "to = 4\np = -1.0", "-1.0 is no share", 21),
        ("to = 4\np = 0.85", "to = 4\np = nan", "nan is no share", 21),
        ("to = 4\np = 0.85", "to = 3\np = 0.85", "no net joins edge 1 to edge 3", 18),
        ("sockets = [", "socket = [", "Did you mean “sockets”?", 11),
    ],
)
def test_a_mistake_in_a_tile_file_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, says: str, line: int
) -> None:
    assert GOOD.count(old) == 1
    (told,) = (s for s in mistakes(tmp_path, GOOD.replace(old, new)) if says in s)
    assert told.startswith(f"Mine.toml:{line}: ")


def test_all_mistakes_of_a_folder_of_tiles_are_told_at_once(tmp_path: Path) -> None:
    for name in ("A", "B"):
        (tmp_path / f"{name}.toml").write_text(GOOD.replace("sockets =", "socket ="), "utf-8")
    with pytest.raises(BadFile) as caught:
        load_tiles([tmp_path])
    told = str(caught.value)
    assert "A.toml" in told
    assert "B.toml" in told
    assert caught.value.path == str(tmp_path / "A.toml")
