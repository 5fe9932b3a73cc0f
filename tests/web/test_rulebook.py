"""A rule's id opens its paragraph: how a page of rules is taken apart, and what pages are told."""

import re
from pathlib import Path

import pytest

import hexboard
from hexboard.board import plain
from hexboard.game import registry
from hexboard.web.rulebook import chapters
from hexboard.web.sheet import board_sheet
from hexboard.words import speaking

RULE = (
    r"(?:ALMA|BSH|BSY|BSC|HEXEL|KDH)-[A-Z]?\d+(?:\.\w+)*|\d(?:\.\d+){2,}"
    r"|T\.[A-Z]\w+(?:\.\d+)?|K\d+"
)
"""A rule's id, as Python says it."""
WRITTEN = """# A game

Two lines that
are one paragraph.

## Moves

* R-1 A step
  goes far.
* R-2 Not back.

| write | for |
|---|---|
| `a1` | a step |

As in:

    WW/BB
    BB/WW
"""


def test_a_page_of_rules_is_its_headings_and_under_them_paragraphs_of_one_line_each() -> None:
    assert chapters(WRITTEN) == (
        ("A game", ("Two lines that are one paragraph.",)),
        (
            "Moves",
            (
                "R-1 A step goes far.",
                "R-2 Not back.",
                "write · for",
                "`a1` · a step",
                "As in:",
                "    WW/BB\n    BB/WW",
            ),
        ),
    )


@pytest.mark.parametrize("name", registry.names())
def test_every_word_of_a_games_rules_comes_to_its_page(name: str) -> None:
    game = registry.find(name)

    def words(text: str) -> list[str]:
        return re.findall(r"\w+", text)

    told = chapters(game.help())
    assert words(" ".join(f"{title} {' '.join(texts)}" for title, texts in told)) == words(
        game.help()
    )
    board = plain(game.board({}))
    assert board_sheet(game, board, game.start(board, {}))["rules"] == told


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("hexalma", "hexalma"),
        ("bad-santa-hex", "bad_santa"),
        ("hexel", "hexel"),
        ("knee-deep", "knee_deep"),
        ("hextraction", "hextraction"),
    ],
)
def test_every_rule_that_a_game_names_is_written_down_or_an_option(
    name: str, folder: str, language: str
) -> None:
    game, package = registry.find(name), Path(hexboard.__file__).parent / "games" / folder
    said = "".join(path.read_text("utf-8") for path in package.rglob("*.py"))
    with speaking(language):
        told = game.help() + " ".join(option.rule for option in game.options)
    named = set(re.findall(f'"({RULE})"', said))
    assert len(named) > 10
    unwritten = {
        id for id in named if not re.search(rf"(?<![\w.-]){re.escape(id)}(?!\w|\.\d)", told)
    }
    assert unwritten == set()


UNITS = [(1, 3, 1, 1), (2, 2, 2, 2), (3, 1, 3, 3), (2, 2), (2, 2, 2), (2, 2)]
"""Cost, fields for an energy, combat and health of ACV, tank, palooza, extractor, turret and
factory; a structure moves nowhere, and combat that is none is not said."""


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rules_say_what_each_unit_of_knee_deep_costs_does_and_stands(language: str) -> None:
    with speaking(language):
        told = [texts for _, texts in chapters(registry.find("knee-deep").help())]
    [units] = [texts[1:] for texts in told if any(text.startswith("Palooza: ") for text in texts)]
    assert [tuple(map(int, re.findall(r"\d+", text))) for text in units] == UNITS


@pytest.mark.parametrize(("language", "far"), [("en", "alone one cell"), ("de", "allein ein Feld")])
def test_the_first_lines_on_hexalma_have_a_single_disc_go_one_cell(language: str, far: str) -> None:
    """ALMA-3.3: as many cells as the stack that it leaves was high, itself included."""
    with speaking(language):
        (_, texts), *_ = chapters(registry.find("hexalma").help())
    assert far in texts[-1]


def sides(name: str, board: str) -> list[tuple[str, int]]:
    """The sides that a page draws."""
    game, place = registry.find(name), plain(board)
    own = board_sheet(game, place, game.start(place, {}))["own"]
    return list(own["sides"]) if isinstance(own, dict) else []


def test_a_triangles_three_sides_are_drawn_apart_with_two_edges_a_cell() -> None:
    """BSY-1: row 1, column a, the diagonal."""
    drawn = sides("bad-santa-y", "rhombus-5")
    assert sorted(tone for _, tone in drawn) == [0] * 10 + [1] * 10 + [2] * 10
    assert {place[0] for place, tone in drawn if tone == 1} == {"a"}
    assert {place[1] for place, tone in drawn if tone == 0} == {"1"}


def test_a_hexagons_six_sides_alternate() -> None:
    """BSC-1: three sides that do not meet."""
    drawn = dict(sides("bad-santa-cross", "hexhex-3"))
    assert len(drawn) == 6 * (2 * 3 - 1)
    assert {drawn[f"e2/{edge}"] for edge in (6, 1)} != {drawn[f"a2/{edge}"] for edge in (3, 4)}
    assert drawn["e2/1"] == drawn["e2/6"] == drawn["b4/2"] == drawn["b1/4"]


def test_a_war_is_drawn_in_sectors() -> None:
    """KDH-1.3: 31 sectors of seven fields."""
    game, place = registry.find("knee-deep"), plain("flowers-31")
    own = board_sheet(game, place, game.start(place, {}))["own"]
    areas = list(own["areas"].values()) if isinstance(own, dict) else []
    assert {areas.count(area) for area in areas} == {7}
    assert len(set(areas)) == 31
