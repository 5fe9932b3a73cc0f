"""Mistakes planted in a box of Knee Deep in Hexes: all of them are named, with line and remedy.

`python -m tests.games.test_knee_deep_planted` counts them, and in how many rounds all are named.
"""

import re
from collections.abc import Iterator

import pytest

from tests.games.test_knee_deep_boxes import (
    BONUS,
    DRAW,
    FORM,
    GAIN,
    HOUSE,
    LINE3,
    MEANING,
    NEVER,
    NUMBERS,
    RESERVE,
    SUPPLY,
    TANKS,
    TECH,
    UNUSUAL,
    WALK,
    findings,
    formation,
    instead,
    numbers,
    passive,
    triggered,
)

Change = tuple[str, str]
SPARK = 'do = [{ do = "gain", resource = "energy" }]'
QUICK = 'do = [{ do = "modify", rule = "move" }]'
FEWER = 'do = [{ do = "set_rule", rule = "builders" }]'
TWO_MORE = '{ is = "count", unit = "tank", where = "zone", least = 2 }'


def more(line: str) -> Change:
    """An ability of Gondwana's tech, on a line of its own."""
    return TECH, f'{TECH}\n¦ability = {{ title = "Own", {line} }}'


def own(line: str, name: str = "wedge") -> Change:
    """A formation of the box's own, which a card asks for or not."""
    return NUMBERS, f"{NUMBERS}\n[formations]\n¦{name} = {line}"


def also(line: str, more: str) -> Change:
    """One condition more than those of a line."""
    return line, f"{line[:-1]},\n¦    {more},\n]"


PLANTED: list[tuple[Change, str]] = [
    # hands that are larger than they may be, as soon as they are drawn
    (numbers("opening_hand = 7"), "a hand has 6 at most: the others are discarded"),
    (numbers("hand_limit = 2"), "3 cards are drawn at once, and a hand has 2"),
    (numbers("power_up_cards = 8"), "8 cards are drawn at once"),
    # formations
    (own("[[0, 0], [1, 0], [2, 0]]"), "wedge is line3, perhaps turned"),
    (own("[[4, 4], [4, 5], [4, 6]]"), "wedge is line3, perhaps turned"),
    (own("[[0, 0], [0, 2]]"), "wedge is gap2, perhaps turned"),
    (own("[[0, 0], [1, 0], [0, 1]]"), "wedge is triangle, perhaps turned"),
    (own("[[0, 0], [6, 0]]"), "lies in no zone of our maps"),
    (own("[[0, 0], [1, 0], [9, -9]]"), "lies in no zone of our maps"),
    (own("[[0, 0], [1, 0], [0, 1], [1, 1]]"), "nothing asks for wedge"),
    (
        (
            NUMBERS,
            f"{NUMBERS}\n[formations]\nwedge = [[0, 0], [1, 0], [0, 1], [1, 1]]\n"
            "¦hook = [[3, 3], [4, 3], [3, 4], [4, 4]]",
        ),
        "hook is wedge, perhaps turned",
    ),
    # names
    (instead('title = "Sling"', 'title = " Sling"'), "write “Sling”"),
    (instead('title = "Sling"', 'title = "Sling "'), "write “Sling”"),
    (instead('title = "Two steps"', 'title = "Two  steps"'), "write “Two steps”"),
    (instead('id = "barrier"', 'id = "Sling"'), "another id is Sling too, but for large letters"),
    (instead('id = "gondwana_tech"', 'id = "gondwana_medic_general"'), "than its type, tech"),
    (instead('id = "bukseon_general"', 'id = "bukseon_commander_2"'), "than its type, general"),
    (instead('source = "rulebook"', 'source = ""'), "the source is one line"),
    (instead('source = "rulebook"', f'source = "{"s" * 61}"'), "the source is one line"),
    (instead('source = "rulebook"', 'source = "a\\nb"'), "the source is one line"),
    (
        (
            TECH,
            f'{TECH}\nability = {{ title = "Own", {DRAW} }}\ntriggers = [\n'
            f'¦    {{ title = "own", on = "placed", {DRAW} }},\n]',
        ),
        "something else of this companion is called own",
    ),
    (
        (
            TECH,
            f'{TECH}\npassives = [\n    {{ title = "Old", gives = "move" }},\n'
            '¦    { title = "Old", gives = "combat" },\n]',
        ),
        "something else of this companion is called Old",
    ),
    (
        (TECH, f'{TECH}\npassives = [\n¦    {{ title = " Old", gives = "move" }},\n]'),
        "write “Old”",
    ),
    # what another condition wants already
    (also(TANKS, TWO_MORE), "another condition wants that already"),
    (also(TANKS, TWO_MORE.replace('"tank"', '"vehicle"')), "another condition wants that"),
    (also(TANKS, '{ is = "count", unit = "tank", least = 3 }'), "another condition wants that"),
    (also(TANKS, '{ is = "count", unit = "any", least = 1 }'), "another condition wants that"),
    (
        also(TANKS, '{ is = "count", unit = "tank", of = "any", where = "zone", least = 1 }'),
        "another condition wants that",
    ),
    (
        (TANKS, 'if = [\n    { is = "round", least = 3 },\n¦    { is = "round", least = 2 },\n]'),
        "another condition wants that",
    ),
    (
        (TANKS, 'if = [\n    { is = "hand", most = 2 },\n¦    { is = "hand", most = 4 },\n]'),
        "another condition wants that",
    ),
    (
        (
            SUPPLY,
            'if = [\n    { is = "lost", unit = "tank", least = 2 },\n'
            '¦    { is = "lost", unit = "vehicle", least = 1 },\n]',
        ),
        "another condition wants that",
    ),
    (
        instead(
            SUPPLY,
            'if = [{ is = "all", if = [{ is = "round", least = 3 }, '
            '{ is = "round", least = 2, most = 50 }, { is = "round", least = 2 }] }]',
        ),
        "another condition wants that",
    ),
    # bounds that are never reached, or reached at once
    (instead(BONUS, BONUS.replace("most = 3", "most = 5")), "most means nothing"),
    (instead(BONUS, BONUS.replace("amount = 1", "amount = 4")), "no more than 3 ever comes of 4"),
    (instead(GAIN, 'do = [{ do = "draw", per = "factory", most = 2 }]'), "most means nothing"),
    (instead(GAIN, 'do = [{ do = "draw", amount = 3, per = "acv", most = 2 }]'), "comes of 3"),
    (instead(GAIN, 'do = [{ do = "relocate", most = 30 }]'), "most means nothing"),
    (instead(GAIN, 'do = [{ do = "relocate", most = 98 }]'), "most means nothing"),
    (
        instead(
            GAIN, f'do = [{{ do = "for_each", unit = "turret", most = 3, then = {DRAW[5:]} }}]'
        ),
        "most means nothing",
    ),
    (
        instead(
            GAIN, 'do = [{ do = "repeat", times = 2, then = [{ do = "relocate", most = 40 }] }]'
        ),
        "then[1].most: most means nothing",
    ),
    (triggered(f'on = "turn_begins", {DRAW}, limit = {{ turn = 2 }}'), "turn means nothing"),
    (triggered(f'on = "war_won", {DRAW}, limit = {{ turn = 3, game = 5 }}'), "turn means nothing"),
    (triggered(f'on = "war_begins", {DRAW}, limit = {{ war = 2 }}'), "war means nothing"),
    (triggered(f'on = "war_counts", {DRAW}, limit = {{ turn = 4 }}'), "turn means nothing"),
    # what comes too late, or to nobody
    (instead(RESERVE, SPARK), "this changes nothing here: 1 energy more"),
    (instead(RESERVE, SPARK.replace("gain", "lose")), "this changes nothing here"),
    (triggered(f'on = "war_won", {SPARK}'), "this changes nothing here"),
    (triggered(f'on = "war_ends", {SPARK}'), "this changes nothing here"),
    (triggered(f'on = "marked", {SPARK}'), "this changes nothing here"),
    (triggered(f'on = "marked", {QUICK}'), "this changes nothing here"),
    (triggered(f'on = "war_ends", {FEWER}'), "this changes nothing here"),
    (triggered(f'on = "war_counts", {SPARK}'), "this changes nothing here"),
    (triggered(f'on = "turn_begins", of = "enemy", {SPARK}'), "this changes nothing here"),
    (triggered('on = "war_begins", do = [{ do = "cancel" }]'), "this changes nothing here"),
    (passive('gives = "bonus", of = "any"'), "this changes nothing here"),
    (instead(GAIN, GAIN.replace("amount = 2", 'of = "any"')), "of means nothing"),
    (instead(GAIN, FEWER.replace('builders"', 'builders", of = "any"')), "of means nothing"),
    (instead(GAIN, QUICK.replace('move"', 'move", of = "any"')), "of means nothing"),
    (
        instead(
            GAIN,
            'do = [{ do = "set_rule", rule = "builders", amount = 1 }, '
            '{ do = "set_rule", rule = "builders", amount = 2 }]',
        ),
        "this changes nothing here",
    ),
    # the same in what a companion can do
    (more(f"{SPARK}, if = [{{ {NEVER} }}]"), "can never be"),
    (more(SPARK.replace('energy"', 'energy", of = "any"')), "of means nothing"),
    (more('do = [{ do = "relocate", most = 60 }]'), "most means nothing"),
    (more('do = [{ do = "walk", unit = "structure" }]'), "can never be played"),
    # of looking
    (instead(GAIN, 'do = [{ do = "peek", of = "any" }]'), "is none of: self, enemy"),
    (instead(GAIN, 'do = [{ do = "peek", amount = 0 }]'), ">= 1"),
    (instead(GAIN, 'do = [{ do = "peek", amount = 21 }]'), "<= 20"),
    (instead(GAIN, 'do = [{ do = "peek_hand", of = "self" }]'), "of: unknown key"),
    (instead(GAIN, 'do = [{ do = "peek", optional = true }]'), "optional: unknown key"),
    (instead(GAIN, 'do = [{ do = "peak" }]'), "Did you mean “peek”"),
    # slips of the pen
    (instead('[[cards]]\nid = "sling"', '[[card]]\nid = "sling"'), "card: unknown key"),
    (numbers('"tank.colour" = 2'), "there is no number “tank.colour”"),
    (numbers('"tank.cost" = true'), "Expected `int`"),
    (instead(WALK, WALK.replace('do = "walk"', 'Do = "walk"')), "the key “do” is missing"),
    (instead(WALK, WALK.replace("amount = 3", "amount = [3]")), "Expected `int`"),
    (instead(LINE3, LINE3.replace("pattern", "patern")), "patern: unknown key"),
    (formation('wedge = [["0", 0], [1, 0]]'), "Expected `int`"),
    (triggered(f'on = ["placed"], {DRAW}'), "triggers[1].on: Expected"),
    (triggered(f'on = "placed", {DRAW}, limit = 1'), "Expected a table"),
    (passive('gives = "combat", amount = 21'), "<= 20"),
    (passive('gives = "combat", unit = "tanks"'), "Did you mean “tank”"),
]
ALL = [*FORM, *MEANING, *UNUSUAL, *PLANTED]


def named(text: str, said: str, mark: str = "¦") -> bool:
    """Whether what is planted at a mark is named with its line."""
    line = text[: text.index(mark)].count("\n") + 1
    found = findings(text.replace(mark, ""))
    return any(f"box.toml:{line}: " in it and said in it for it in found)


@pytest.mark.parametrize(("change", "said"), PLANTED)
def test_a_planted_mistake_is_named_with_its_line(change: Change, said: str) -> None:
    old, new = change
    assert old in HOUSE
    text = HOUSE.replace(old, new, 1)
    assert named(text, said), findings(text.replace("¦", ""))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("material = 3\n", "material = 20\n"),  # fields and cards may bring it
        ("combat = 3", "combat = 20"),
        (GAIN, f"{GAIN}\nlimit = {{ game = 9 }}"),  # of two copies, which other cards bring back
        (GAIN, f'{GAIN}\nif = [{{ is = "hand", least = 20 }}]'),  # who draws much holds much
        (GAIN, 'do = [{ do = "draw", amount = 20 }]'),
        (GAIN, 'do = [{ do = "destroy", unit = "turret" }]'),  # an own one, as a price
        (TECH, f'{TECH}\npassives = [{{ title = "Own", gives = "move", amount = -20 }}]'),
        (TECH, f'{TECH}\nability = {{ title = "Own", {DRAW}, limit = {{ turn = 1 }} }}'),
        (BONUS, BONUS.replace("most = 3", "most = 4")),  # of five tanks
        (TANKS, TANKS[:-1] + ', { is = "count", unit = "tank", least = 4 }]'),  # one more outside
    ],
)
def test_what_can_be_meant_is_no_mistake(old: str, new: str) -> None:
    assert old in HOUSE
    assert findings(HOUSE.replace(old, new, 1)) == []


def rounds(planted: list[tuple[Change, str]]) -> Iterator[list[tuple[int, str, bool]]]:
    """All of them in as few boxes as it takes, for two of one place do not fit in one: of each
    that a box has its line, what is said of it, and whether it is."""
    left = planted
    while left:
        here, later = list[tuple[int, Change, str]](), list[tuple[Change, str]]()
        for change, said in left:
            at = HOUSE.index(change[0])
            if not here or (len(here) < TOGETHER and all(apart(at, change, it) for it in here)):
                here.append((at, change, said))
            else:
                later.append((change, said))
        text = HOUSE
        for at, (old, new), _ in sorted(here, reverse=True):
            text = text[:at] + new.replace("¦", f"¦{at}¦", 1) + text[at + len(old) :]
        bare = re.sub("¦[0-9]+¦", "", text)
        found, told = findings(bare), list[tuple[int, str, bool]]()
        for at, _, said in here:
            line = text[: text.index(f"¦{at}¦")].count("\n") + 1
            is_said = any(f"box.toml:{line}: " in it and said in it for it in found)
            told.append((line, said, is_said))
        yield told
        left = later


def apart(at: int, change: Change, other: tuple[int, Change, str]) -> bool:
    """Whether two stand in places of their own, and neither makes the other right: what `[numbers]`
    says, and names that two things have, are of the whole box."""
    if any(
        it[0] == NUMBERS or "id = " in it[0] or "title = " in it[0] for it in (change, other[1])
    ):
        return False
    begin, end = at, at + len(change[0])
    return end <= other[0] or other[0] + len(other[1][0]) <= begin


TOGETHER = 40
"""So many in one box: of more than 50 a check says that there are more (`files.MOST_MISTAKES`)."""


@pytest.mark.long
def test_planted_together_all_are_named_in_one_round() -> None:
    """Those that do not stand in each other's way, in as few boxes as it takes."""
    boxes = [*rounds([*MEANING, *UNUSUAL, *PLANTED])]
    missing = [(line, said) for box in boxes for line, said, found in box if not found]
    assert missing == []
    assert max(map(len, boxes)) >= 10


if __name__ == "__main__":
    once = sum(named(HOUSE.replace(*change, 1), said) for change, said in ALL)
    boxes = [*rounds(ALL)]
    together = sum(found for box in boxes for _, _, found in box)
    print(f"{len(ALL)} planted; named with their line: alone {once},", end=" ")
    print(f"with others in {len(boxes)} boxes {together}")
