"""The front door's sheet: pictures of games, their presets, what cannot be played and why."""

from typing import Any

import pytest
from msgspec.structs import replace

from hexboard.board import plain
from hexboard.facts import Named, Start
from hexboard.game import registry
from hexboard.game.options import choose
from hexboard.game.picture import picture
from hexboard.web.front import GameOffer, front_sheet

GAMES = registry.names()


def playing(name: str, *names: str) -> Start:
    return Start("m", "", "", name, "", {}, "", names)


def shapes(name: str) -> dict[str, int]:
    """How many shapes of each kind the picture of a game as it begins has."""
    game, board = registry.find(name), registry.board(name)
    drawn: Any = picture(game, board, game.begin(board, {}))["shapes"]
    return {kind: path.count("M") for kind, path in drawn}


def test_a_picture_has_a_shape_for_each_cell_disc_lane_and_zone() -> None:
    assert shapes("hexalma") == {"cell": 61, "ink-0 at-0": 11, "ink-1 at-0": 11}
    assert shapes("bad-santa-y") == {"cell": 66}  # of the 121: 11 + 10 + … + 1
    board = registry.board("hextraction")
    zones = sum(len(zone.edges) for zone in board.zones)
    assert shapes("hextraction") == {"cell": 22, "ramp": len(board.ramps), "zone": zones}


def test_a_stack_rises_and_a_picture_stays_within_its_box() -> None:
    game, board = registry.find("hexalma"), plain("hexhex-5")
    text = "B(BWB)3/6/7/8/9/8/7/6/5 b"
    drawn: Any = picture(game, board, game.read(text, board, {}))
    kinds = [kind for kind, _ in drawn["shapes"]]
    assert kinds == ["cell", "ink-0 at-0", "ink-1 at-1", "ink-0 at-2"]
    left, top, width, height = map(float, drawn["box"].split())
    cell = board.cells[0]
    assert left < cell.x < left + width
    assert top < -cell.y < top + height


@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_says_for_pictures_and_for_a_first_game_can_be(name: str) -> None:
    game = registry.find(name)
    board = registry.board(name)
    game.read(game.sample, board, {})
    chosen = choose(name, game.options, game.beginners)
    assert chosen.items() >= game.beginners.items()


def test_presets_are_by_the_book_and_what_differs_from_it() -> None:
    def offered(name: str, **more: Any) -> dict[str, Any]:
        game = registry.find(name)
        offer = GameOffer(name, game, registry.board(name), **more)
        told: Any = front_sheet([offer], playing(name))
        sheet: dict[str, Any] = told["games"][0]
        return sheet

    assert list(offered("hexalma")["presets"]) == ["book"]
    played = offered("bad-santa-hex", first=True, house={"size": 9}, dealt={"die": "dealt"})
    assert played["presets"]["book"]["die"] == "dealt"
    assert {name: options["size"] for name, options in played["presets"].items()} == {
        "book": 11,
        "first": 7,
        "house": 9,
    }
    assert list(offered("hexalma", house={"no_move": "pass"})["presets"]) == ["book"]


def test_a_game_that_is_broken_is_named_and_stands_last() -> None:
    right = GameOffer("hexalma", registry.find("hexalma"), registry.board("hexalma"))
    told: Any = front_sheet([GameOffer("grim", why="It breaks."), right], playing("grim"))
    assert [(game["name"], game["why"]) for game in told["games"]] == [
        ("hexalma", ""),
        ("grim", "It breaks."),
    ]


def test_a_game_whose_picture_cannot_be_made_hides_no_other() -> None:
    right, board = registry.find("hexalma"), registry.board("hexalma")
    offers = [
        GameOffer("grim", replace(right, name="grim", family="hexalma", sample="nonsense"), board),
        GameOffer(
            "grave", replace(right, name="grave", family="hexalma", start=lambda *_: 1 // 0), board
        ),
        GameOffer("hexalma", right, board),
    ]
    told: Any = front_sheet(offers, playing("hexalma"))
    assert [(it["name"], it["picture"] is None) for it in told["games"]] == [
        ("hexalma", False),
        ("grim", True),
        ("grave", True),
    ]
    assert "nonsense" in told["games"][1]["why"]
    assert told["games"][2]["why"].startswith("ZeroDivisionError")


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        ("hexalma", ["Black", "White"]),
        ("hextraction", ["Red", "Blue", "Green", "Yellow", "Violet", "White"]),
        ("hexel", [f"Player {n}" for n in range(1, 7)]),
    ],
)
def test_the_door_has_a_place_for_the_name_of_everybody_who_can_play(
    name: str, seats: list[str]
) -> None:
    offer = GameOffer(name, registry.find(name), registry.board(name))
    told: Any = front_sheet([offer], playing(name, "Anna\u202e", "Bo"))
    assert told["games"][0]["seats"] == seats
    assert told["names"] == ["Anna", "Bo"]


def test_the_door_has_the_names_and_colours_that_phones_have_said_since() -> None:
    begun = playing("hexalma", "Anna", "Bo")
    assert front_sheet([], begun)["colours"] == []
    told = front_sheet([], begun, (), {1: Named(1, "Cy", 4), 2: Named(2, "")})
    assert (told["names"], told["colours"]) == (["Anna", "Cy", ""], [-1, 4])
