"""Triggers of a box of Knee Deep in Hexes that set each other off are told, with their limit."""

from pathlib import Path

import pytest

from hexboard.files import Source
from hexboard.games.knee_deep.lint import looked_over
from hexboard.words import say
from tests.games.test_knee_deep_triggers import boxed

TANK = 'do = [{ do = "place", unit = "tank" }]'
TURRET = 'do = [{ do = "place", unit = "turret" }]'
STRIKE = 'do = [{ do = "destroy", of = "enemy", unit = "acv" }]'


def told(tmp_path: Path, language: str = "en", **triggers: str) -> list[str]:
    """What is said of triggers that set each other off; nothing else is unusual in these boxes."""
    found = looked_over(Source(Path(boxed(tmp_path, **triggers))))
    assert not found.mistakes
    said = [say(it, language) for it in found.unusual]
    assert all("set" in it or "auslösen" in it for it in said), said
    return [it.split("box.toml:")[1].split(": ", 2)[2] for it in said]


def test_a_trigger_that_sets_itself_off(tmp_path: Path) -> None:
    """Where another tank comes whenever one does."""
    itself = f'on = "placed", unit = "vehicle", limit = {{ turn = 3 }}, {TANK}'
    assert told(tmp_path, gondwana_tech=itself) == [
        "“G1” can set itself off. It ends at its limit: At most 3 times a turn."
    ]
    assert told(tmp_path, "de", gondwana_tech=itself) == [
        "„G1“ kann sich selbst auslösen. Es endet an seiner Grenze: Höchstens 3 Mal im Zug."
    ]


def test_two_that_set_each_other_off(tmp_path: Path) -> None:
    """A tank brings a turret, and a turret a tank: either of the first ones with the last."""
    ours = f'on = "placed", unit = "tank", {TURRET}'
    theirs = f'on = "placed", unit = "structure", limit = {{ game = 2 }}, {TANK}'
    assert told(tmp_path, gondwana_general=ours, gondwana_tech=f"{ours}\n{theirs}") == [
        "these can set each other off: “G1” → “G2” → “G1”. "
        "They end at the limit of “G1”, if not before: At most once a turn.",
        "these can set each other off: “G1” → “G2” → “G1”. "
        "They end at the limit of “G1”, if not before: At most once a turn.",
    ]


def test_across_the_table(tmp_path: Path) -> None:
    """Each strikes when it lost an ACV; what a loop does counts as well."""
    back = f'on = "destroyed", unit = "vehicle", {STRIKE}'
    loop = f'on = "destroyed", do = [{{ do = "repeat", times = 2, then = {STRIKE[5:]} }}]'
    assert len(told(tmp_path, gondwana_tech=back, bukseon_general=loop)) == 1


@pytest.mark.parametrize(
    "others",
    [
        {"gondwana_tech": f'on = "placed", unit = "turret", {TANK}'},  # no turret comes by it
        {"gondwana_tech": f'on = "placed", of = "enemy", {TANK}'},
        {"gondwana_tech": f'on = "moved", {TANK}'},
        {"gondwana_tech": f'on = "destroyed", {STRIKE}'},
        {
            "gondwana_tech": f'on = "placed", unit = "tank", {TURRET}',
            "bukseon_tech": f'on = "placed", unit = "turret", {TANK}',
        },
        {  # three of one side, of which two are in a game
            "gondwana_tech": f'on = "placed", unit = "tank", {TURRET}',
            "gondwana_general": 'on = "placed", unit = "turret", '
            'do = [{ do = "relocate", unit = "turret" }]',
            "gondwana_trickster": f'on = "moved", {TANK}',
        },
    ],
)
def test_what_comes_to_an_end_by_itself_is_not_told(others: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path, **others) == []


def test_without_a_limit_it_is_a_mistake(tmp_path: Path) -> None:
    endless = f'on = "placed", limit = {{ }}, {TANK}'
    found = looked_over(Source(Path(boxed(tmp_path, gondwana_tech=endless))))
    assert ["ends only at a limit" in say(it) for it in found.mistakes] == [True]
    assert not any("set itself off" in say(it) for it in found.unusual)
