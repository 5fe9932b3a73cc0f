"""Tiles are what the digest measured and states (4.2, 4.5); the lint finds what section 0 bars."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hexboard.board import EDGES, find, load
from hexboard.files import shipped
from hexboard.games.hextraction import parse, start
from hexboard.games.hextraction.rules import position
from hexboard.games.hextraction.tiles.catalogue import (
    basic,
    codes,
    everything,
    in_play,
    load_own,
    load_tile,
    load_tiles,
    written,
)
from hexboard.games.hextraction.tiles.drawing import REACH_MM, ways
from hexboard.games.hextraction.tiles.effects import CAUSES, OPERATIONS
from hexboard.games.hextraction.tiles.lint import KEYWORDS
from hexboard.games.hextraction.tiles.registering import register
from hexboard.games.hextraction.tiles.tile import Described, Tile
from hexboard.words.errors import BadFile, BadText, HexboardError
from tests.hand_work import by_hand

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
        ('id = "X"', 'id = "X"\ntakes_ms = 12001', "from 0 to 12000 ms", 4),
        ('id = "X"', 'id = "X"\ntakes_ms = -1', "from 0 to 12000 ms", 4),
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


# ----------------------------------------------------------------------------- form 2: the card

PUBLISHED: dict[str, list[tuple[int, ...]]] = {
    "XC": [(1, 4, 5, 6), (2, 3)],
    "Trap2": [(1, 3)],
    "Trap3": [(1, 3, 5)],
    "LinearTrap": [(1, 4)],
    "QuadTrap": [(5, 6), (2, 3)],
    "Newton": [(5, 6), (2, 3)],
    "Pachinko": [ALL],
    "BlindBottom": [ALL],
    "CartoonBomb": [(1,)],
    "Clone": [(1, 4)],
    "TeleportIn": [(1, 2, 6)],
    "TeleportOut": [(4,)],
    "TileForTwoA": [(1, 2, 4)],
    "TileForTwoB": [(1, 3, 4)],
    "DCXLA": [(4, 6), (2, 4)],
    "DCXLB": [(1, 5), (1, 3)],
    "OpenFlipper": [(1, 5, 6), (1, 2, 3)],
    "Flipper3": [(1, 3, 5)],
}
"""Digest 4.2: the nets of published tiles beside the Basic pack."""


def described(id: str) -> Described:
    found = everything()[id]
    assert isinstance(found, Described)
    return found


CARDS = [tile for tile in everything().values() if isinstance(tile, Described)]


@pytest.mark.parametrize("id", PUBLISHED)
def test_a_published_tile_has_the_nets_of_the_digest(id: str) -> None:
    assert list(described(id).nets) == PUBLISHED[id]


def test_every_tile_says_where_its_facts_come_from_and_how_sure_they_are() -> None:
    for card in CARDS:
        assert card.source
        assert {"routes", "sockets"} <= card.confidence.keys()
        assert (card.set == "demo") == (card.source == "our own") == (card.owner == "hexboard")


def test_the_tiles_that_come_with_hexboard_use_every_cause_and_every_operation() -> None:
    effects = [effect for card in CARDS for effect in card.effects]
    assert {effect.cause for effect in effects} == CAUSES.keys()
    operations = {o.op for effect in effects for o in (*effect.do, *effect.cost)}
    assert operations == OPERATIONS.keys()
    assert any(effect.offline for effect in effects)
    assert any(effect.overdrive for effect in effects)


def test_cartoon_bomb_destroys_itself_and_its_neighbours_at_three_balls() -> None:
    (effect,) = described("CartoonBomb").effects
    assert (effect.cause, effect.conditions) == ("trigger", ("balls_on_self >= 3",))
    assert [(o.op, o.tiles) for o in effect.do] == [("destroy", "self"), ("destroy", "adjacent")]


def test_two_lanes_at_one_edge_do_not_join_what_lies_behind_them() -> None:
    """DCXL, half a: 6 leads to the left lane at 4, 2 to the right one."""
    doors = described("DCXLA").doors(0)
    assert doors == {4: (6, 2), 6: (4,), 2: (4,)}


def test_an_edge_of_which_nothing_leads_on_is_open_but_a_dead_end() -> None:
    assert described("CartoonBomb").doors(2) == {3: ()}


def test_a_channel_is_drawn_from_edge_to_edge_and_bends_towards_the_middle() -> None:
    """A bend from 1 to 3: from 25 mm above the middle to the edge at the lower right, and half way
    a quarter of the sum of both, 6.25 mm from the middle."""
    (way,) = ways((1, 3))
    assert way[0] == pytest.approx((0, -REACH_MM))
    assert way[-1] == pytest.approx((21.65, 12.5), abs=0.01)
    x, y = way[len(way) // 2]
    assert (x**2 + y**2) ** 0.5 == pytest.approx(6.25)


# ----------------------------------------------------------------------------------- bad cards

CARD = """\
schema = "hexboard/tile-2"
id = "Mine"
name = "Mine"
owner = "Ada"
set = "own"
source = "drawn by hand"
nets = [[1, 4], [2, 3]]
sockets = [1, 4]
star = true

[confidence]
routes = "measured"
sockets = "measured"
effects = "stated"

[[triggers]]
id = "lane"
edges = [1, 4]

[[effects]]
cause = "trigger"
area = "lane"
do = [{ op = "draw", who = "roller", n = 1 }]
"""
DRAW = '{ op = "draw", who = "roller", n = 1 }'
TRIGGER = 'cause = "trigger"\narea = "lane"'
EXTRA = '{ op = "extra", what = "roll", who = "active" }'


def test_a_good_card_is_read(tmp_path: Path) -> None:
    path = tmp_path / "Mine.toml"
    path.write_text(CARD, "utf-8")
    found = load_tile(path)
    assert isinstance(found, Described)
    assert found.effects[0].do[0].values() == {"who": "roller", "n": 1}


@pytest.mark.parametrize(
    ("old", "new", "says", "line"),
    [
        # section 0
        (DRAW, '{ op = "bar", who = "each", what = "leave", turns = 1 }', "(0.1.1)", 23),
        (DRAW, '{ op = "pay_money" }', "is not an operation", 23),  # 0.1.2
        ('area = "lane"', 'area = "lane"\noverrides = ["0.2.3"]', "(0.1.3)", 23),
        ("star = true", 'star = true\nitems = [{ name = "dice", by = "players" }]', "(0.1.6)", 10),
        (DRAW, '{ op = "add_tile", name = "Mine" }', "(0.1.7)", 23),
        (DRAW, '{ op = "search", who = "roller", pool = "destroyed" }', "(0.1.8)", 23),
        (DRAW, '{ op = "modify", what = "draw_at_end" }', "(0.1.10)", 23),
        (DRAW, '{ op = "skip", who = "each", turns = 2 }', "(0.1.11)", 23),
        (DRAW, '{ op = "bar", who = "each", what = "roll", turns = 3 }', "(0.1.11)", 23),
        ('cause = "trigger"\narea = "lane"', 'cause = "setup"', "(0.2.1)", 20),
        ("star = true", "star = false", "(0.2.3)", 9),
        ("sockets = [1, 4]", "sockets = []", "0.2.5", 8),
        ("star = true", 'star = true\nkeywords = ["forbidden"]', "(0.4.3)", 10),
        # terms and actions
        ('cause = "trigger"\narea = "lane"', 'cause = "activated"', "(2.7.2)", 20),
        (
            'cause = "trigger"\narea = "lane"',
            'cause = "activated"\nask = "Now?"\nmandatory = true',
            "would never end",
            20,
        ),
        ('area = "lane"', 'area = "lane"\nlimit_per_turn = 1', "(2.7)", 20),
        (DRAW, '{ op = "search", who = "roller", pool = "hands" }', "main, any", 23),  # T.Pool
        (
            DRAW,
            '{ op = "search", who = "roller", pool = "main", where = "open" }',
            "goes to the",
            23,
        ),
        (DRAW, '{ op = "move_ball", balls = "this", where = "hand" }', "goes to the hand", 23),
        (DRAW, '{ op = "modify", what = "three_ball_rule" }', "only an Ongoing", 20),
        (DRAW, '{ op = "modify", what = "gravity" }', "ball_source, three_ball_rule", 23),
        (TRIGGER, 'cause = "ongoing"', "does this when?", 20),
        (
            f"{TRIGGER}\ndo = [{DRAW}",
            f'cause = "ongoing"\ndo = [{EXTRA}, {DRAW}',
            "two effects",
            20,
        ),
        (
            f"{TRIGGER}\ndo = [{DRAW}",
            f"""cause = "ongoing"\ndo = [{EXTRA.replace("active", "each")}""",
            'who = "active"',
            20,
        ),
        (TRIGGER, 'cause = "setup"\ntext = "Wind it."', "on its own tile", 20),  # T.Setup
        ("star = true", 'star = true\nkeywords = ["combo"]', "its other parts", 1),
        ('cause = "trigger"\narea = "lane"', 'cause = "limit"', "where or when", 20),
        # words and names
        ('area = "lane"', 'area = "lan"', "no such area", 22),
        ('area = "lane"', 'area = "lane"\nif = ["part arm = up"]', "no part arm", 23),
        ('area = "lane"', 'area = "lane"\nif = ["when it rains"]', "is no condition", 23),
        ('cause = "trigger"', 'cause = "on_paly"', "Did you mean “on_play”?", 21),
        (DRAW, '{ op = "darw", who = "roller", n = 1 }', "Did you mean “draw”?", 23),
        (DRAW, '{ op = "draw", who = "roller" }', "needs n", 23),
        (DRAW, '{ op = "draw", who = "roller", n = 0 }', "0 is too few", 23),
        (DRAW, '{ op = "win", who = "roller", n = 1 }', "win has no n", 23),
        (DRAW, '{ op = "draw", who = "mum", n = 1 }', "who cannot be “mum”", 23),
        (DRAW, '{ op = "manual" }', "needs text", 23),
        (DRAW, "", "does nothing", 20),
        ("edges = [1, 4]", "edges = [1, 6]", "edge 6 is not open", 18),
        ("edges = [1, 4]", "edges = [1, 2]", "stand in one net", 18),
        ('effects = "stated"', "", "how sure the effects are", 11),
        ('effects = "stated"', 'effects = "surely"', "is one of measured", 14),
        ("star = true", '[[parts]]\nid = "a"\nstates = ["x"]', "two states", 9),
        ("star = true", '[[pockets]]\nid = "p"\nholds = 0', "at least one ball", 11),
        ("star = true", '[[holes]]\nid = "h"\ncounts_as = "win"', "counts as one of", 11),
        ('owner = "Ada"', 'ower = "Ada"', "Did you mean “owner”?", 4),
    ],
)
def test_a_mistake_on_a_card_is_named_with_its_line_and_its_rule(
    tmp_path: Path, old: str, new: str, says: str, line: int
) -> None:
    assert CARD.count(old) == 1
    told = [s for s in mistakes(tmp_path, CARD.replace(old, new)) if says in s]
    assert len(told) == 1
    assert told[0].startswith(f"Mine.toml:{line}: ")


def test_a_forbidden_effect_may_contradict_section_0(tmp_path: Path) -> None:
    back = '{ op = "search", who = "roller", pool = "destroyed" }'
    gates = 'area = "lane"\nforbidden = true\noverrides = ["0.1.8"]'
    path = tmp_path / "Mine.toml"
    path.write_text(CARD.replace(DRAW, back).replace('area = "lane"', gates), "utf-8")
    assert load_tile(path).id == "Mine"


def of_two(tmp_path: Path, first: str, second: str) -> str:
    for name, text in (("A", first), ("B", second)):
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    with pytest.raises(BadFile) as caught:
        load_tiles([tmp_path])
    return str(caught.value)


def test_one_owner_has_one_card_for_a_name(tmp_path: Path) -> None:
    other = CARD.replace('id = "Mine"', 'id = "Mine2"').replace("n = 1", "n = 2")
    told = of_two(tmp_path, CARD, other)
    assert told.startswith(f"{tmp_path}/B.toml:3: ")
    assert "Ada owns two tiles “Mine” with different rules" in told
    assert "(0.3.3)" in told


def test_two_owners_may_mean_different_tiles_by_one_name(tmp_path: Path) -> None:
    other = CARD.replace('id = "Mine"', 'id = "Mine2"').replace("n = 1", "n = 2")
    (tmp_path / "A.toml").write_text(CARD, "utf-8")
    (tmp_path / "B.toml").write_text(other.replace('"Ada"', '"Bob"'), "utf-8")
    assert load_tiles([tmp_path]).keys() == {"Mine", "Mine2"}


def test_one_id_is_of_one_tile(tmp_path: Path) -> None:
    assert "the id Mine is taken by" in of_two(tmp_path, CARD, CARD)


MAKES = CARD.replace(DRAW, '{ op = "create", name = "Other" }')


def test_only_a_virtual_tile_that_is_there_is_created(tmp_path: Path) -> None:
    other = CARD.replace('"Mine"', '"Other"')
    assert "(0.1.7)" in of_two(tmp_path, MAKES, other)
    assert "(T.Create.2)" in of_two(tmp_path, MAKES, CARD.replace('"Mine"', '"Else"'))
    bad = MAKES.replace('"Mine"', '"Bad"').replace("nets", "net")
    (tmp_path / "C.toml").write_text(bad, "utf-8")  # said at once, whatever else is wrong
    assert "(0.1.7)" in of_two(tmp_path, MAKES, other)
    (tmp_path / "C.toml").unlink()
    virtual = other.replace("star = true", 'star = true\nkeywords = ["virtual"]')
    (tmp_path / "B.toml").write_text(virtual, "utf-8")
    assert load_tiles([tmp_path]).keys() == {"Mine", "Other"}


def test_the_other_part_of_a_combo_is_there(tmp_path: Path) -> None:
    combo = CARD.replace("star = true", 'star = true\nkeywords = ["combo"]\ncombo = ["Half"]')
    told = of_two(tmp_path, combo, CARD.replace('"Mine"', '"Else"'))
    assert "the other part “Half”" in told


def test_ones_own_tiles_are_read_from_the_home_folder_and_may_create_ours(tmp_path: Path) -> None:
    assert load_own(tmp_path) == {}
    (tmp_path / "tiles").mkdir()
    path = tmp_path / "tiles" / "Mine.toml"
    path.write_text(MAKES.replace("Other", "Spark"), "utf-8")
    assert load_own(tmp_path).keys() == {"Mine"}
    path.write_text(CARD.replace('id = "Mine"', 'id = "J"'), "utf-8")
    with pytest.raises(BadFile, match="the id J is taken by"):
        load_own(tmp_path)


# ------------------------------------------------------------------------------------- in play


def test_some_tile_can_be_played_and_says_that_it_works_by_hand() -> None:
    after = start().play(start().action("play ? C3 2"))
    assert {edge: len(ways) for edge, ways in (after.doors("C3") or {}).items()} == dict.fromkeys(
        ALL, 5
    )
    assert [event.key for event in after.events] == [
        "hextraction.plays",
        "hextraction.unregistered",
    ]
    assert parse(str(after)) == after


def test_ones_own_tiles_travel_with_the_options_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "Mine.toml").write_text(CARD, "utf-8")
    options = {"tiles": written(load_own(tmp_path).values())}
    begin = start(None, options)
    after = begin.play(begin.action("play Mine C3 0"))
    assert after.doors("C3") == {1: (4,), 4: (1,), 2: (3,), 3: (2,)}
    assert parse(str(after), None, options) == after
    with pytest.raises(BadText):
        parse(str(after))


@pytest.mark.parametrize("text", ["x", "{}", "[1]", '[{"id": "Mine"}]'])
def test_an_option_that_hexboard_did_not_write_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadText, match="leave the option out"):
        start(None, {"tiles": text})


def test_tiles_in_an_option_are_whole_and_not_too_many() -> None:
    x = basic()["X"]
    with pytest.raises(BadText, match="leave the option out"):
        in_play(written([replace(x, id="Mine", nets=((1, 9),))]))
    with pytest.raises(BadText, match="leave the option out"):
        in_play(written([everything()["Seek"]]).replace('"search"', '"serch"'))
    many = [replace(x, id=f"T{k}") for k in range(35)]
    most = in_play(written(many[:34]))
    assert len(most) == 8 + 34 + 1
    assert max(codes(tuple(most)).values()) == 6 * (8 + 34) + 1 < 256
    with pytest.raises(BadText, match="43 kinds of tiles"):
        in_play(written(many))


def test_a_game_is_played_with_the_tiles_it_names() -> None:
    assert list(start(options={"sets": "Clone,demo"}).setting.tiles)[:1] == ["Clone"]
    assert len(start(options={"sets": "published"}).setting.tiles) == 34 + 1
    with pytest.raises(BadText, match=r"no tile “Clon”. Did you mean “Clone”"):
        start(options={"sets": "basic,Clon"})
    assert len(start(options={"sets": "basic,published"}).setting.tiles) == 8 + 34 + 1
    with pytest.raises(BadText, match=r"54 kinds of tiles are too many"):
        start(options={"sets": "basic,published,demo"})


def test_a_tile_drawn_on_the_page_is_a_file_like_any_other(tmp_path: Path) -> None:
    tile = register(tmp_path, 'Fork "2"', "Ada", ((1, 3), (2, 6)), (4,))
    assert load_own(tmp_path) == {"Fork_2": tile}
    assert (tile.name, tile.nets, tile.sockets) == ('Fork "2"', ((1, 3), (2, 6)), (4,))


@pytest.mark.parametrize(
    ("name", "nets", "sockets", "says"),
    [
        ("?!", ((1, 2),), (4,), "is no name for a tile"),
        ("x" * 41, ((1, 2),), (4,), "is no name for a tile"),
        ("Clone", ((1, 2),), (4,), "There is a tile “Clone” already"),
        ("Mine", ((1, 7),), (4,), "edges 1 to 6"),
        ("Mine", ((1, 2), (2, 3)), (4,), "edge 2 stands in two nets"),
        ("Mine", ((1, 2),), (), "at least one socket"),
    ],
)
def test_a_tile_that_cannot_be_registered_leaves_nothing_behind(
    tmp_path: Path,
    name: str,
    nets: tuple[tuple[int, ...], ...],
    sockets: tuple[int, ...],
    says: str,
) -> None:
    with pytest.raises(HexboardError) as refused:
        register(tmp_path, name, "Ada", nets, sockets)
    assert says in str(refused.value)
    assert load_own(tmp_path) == {}


# ---------------------------------------------------------------------------- what can be said

PAGE = Path(__file__).parents[2] / "docs" / "tiles.md"


def test_the_catalogues_flags_are_covered_by_words_that_there_are() -> None:
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 24  # as many as the catalogue has
    assert sum(int(n) for _, n, _ in rows) == 694  # marks on its 346 tiles, added up by hand
    said = {word for *_, how in rows for word in re.findall(r"`(\w+)`", how)}
    known = {*OPERATIONS, *CAUSES, *KEYWORDS, *Described.__struct_fields__, "forbidden"}
    assert said <= known
    assert OPERATIONS.keys() - said == {"counter", "win", "lose"}  # which no flag is about


def test_tiles_that_need_work_by_hand_are_those_with_words_of_their_own() -> None:
    needy = {id for id, tile in everything().items() if by_hand(tile)}
    assert needy == {"Matrix", "TakeTheTilepill", "BlueFlag"}


def test_recordings_of_before_a_field_came_are_of_the_same_tiles() -> None:
    assert position.rules().endswith("tiles 8c47d1cb")  # as on 24 November 2026, without takes_ms
