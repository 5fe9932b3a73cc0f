"""Boxes of Knee Deep in Hexes: each mistake is named in one round, with line and remedy."""

import re
import textwrap
from pathlib import Path

import pytest

from hexboard.files import Source
from hexboard.games import knee_deep
from hexboard.games.knee_deep.lint import looked_over
from hexboard.words import say
from tests.cli import invoke

HOUSE = (Path(knee_deep.__file__).parent / "cards" / "house.toml").read_text("utf-8")
SLING = 'title = "Sling"\nkind = "war"\nneutral = 2\ncombat = 3'
TURRET = 'neutral = 1\nmaterial = 2\nstatus = { material = "D" }'
TECH = 'cards = ["crossfire", "bunker", "one_builder", "batteries"]'
END = 'do = [{ do = "discard", of = "enemy", amount = 1 }]'
WALK = 'do = [{ do = "walk", unit = "vehicle", amount = 3 }]'
PLACE = 'do = [{ do = "place", unit = "tank", near = "vehicle", within = 2 }]'
GAIN = 'do = [{ do = "gain", resource = "energy", amount = 2 }]'
RESERVE = 'do = [{ do = "include", unit = "vehicle", where = "near_zone", within = 2 }]'
SABOTAGE = 'do = [{ do = "destroy", of = "enemy", unit = "acv", near = "vehicle" }]'
BONUS = 'do = [{ do = "bonus", amount = 1, per = "tank", most = 3 }]'
TANKS = 'if = [{ is = "count", unit = "tank", where = "zone", least = 3 }]'
LINE3 = 'if = [{ is = "formation", pattern = "line3" }]'
SUPPLY = 'if = [{ is = "supply", unit = "tank", least = 1 }]'
LATE = 'if = [{ is = "round", least = 3 }]'
EITHER = 'if = [{ is = "round", most = 9 }, { is = "hand", least = 2 }]'
ATTACKER = 'is = "role", role = "attacker"'
NEVER = 'is = "hand", least = 26'
NUMBERS = 'title = "House box"'


EXTRA = '[[cards]]\nid = "fifth"\ntitle = "Fifth"\nkind = "war"\ncombat = 1\n'
MARCH = HOUSE[HOUSE.index('"long_march"\ntitle') + 12 : HOUSE.index(WALK) + len(WALK)]


DRAW = 'do = [{ do = "draw" }]'
ONE = f'{{ title = "Own", on = "placed", {DRAW} }}'


def triggered(line: str) -> tuple[str, str]:
    """A trigger of Gondwana's tech, on a line of its own."""
    return TECH, f'{TECH}\ntriggers = [\n¦    {{ title = "Own", {line} }},\n]'


def passive(line: str) -> tuple[str, str]:
    """A passive of Gondwana's tech, on a line of its own."""
    return TECH, f'{TECH}\npassives = [\n¦    {{ title = "Own", {line} }},\n]'


def formation(line: str) -> tuple[str, str]:
    return NUMBERS, f"{NUMBERS}\n[formations]\n¦{line}"


def numbers(line: str) -> tuple[str, str]:
    return NUMBERS, f"{NUMBERS}\n[numbers]\n¦{line}"


def instead(old: str, new: str) -> tuple[str, str]:
    """The mistake stands in the first line of what is written instead, if no line is marked."""
    return old, new if "¦" in new else f"¦{new}"


FORM = [
    (instead('name = "house"', "name = 3"), "got `int`"),
    (instead('title = "House box"', 'titel = "House box"'), "Did you mean “title”"),
    (('id = "sling"\n', 'id = "sling"\n¦colour = "red"\n'), "colour: unknown key"),
    ((SLING, SLING.replace('kind = "war"', '¦kind = "War"')), "Did you mean “war”"),
    (
        (
            '[[cards]]\nid = "sling"\n' + SLING,
            '¦[[cards]]\nid = "sling"\ntitle = "Sling"\nneutral = 2',
        ),
        "“kind” is missing",
    ),
    ((SLING, SLING.replace("neutral = 2", '¦neutral = "2"')), "Expected `int`"),
    ((SLING, SLING.replace("combat = 3", "¦combat = 2.5")), "Expected"),
    ((SLING, SLING.replace("combat = 3", "¦combat = true")), "Expected"),
    (instead(LINE3, 'if = { is = "formation" }'), "Expected a list of tables"),
    (instead(LINE3, 'if = [{ pattern = "line3" }]'), "is"),
    (instead(LINE3, 'if = [{ is = "formation" }]'), "pattern"),
    (instead(LINE3, 'if = [{ is = "formation", pattern = "line4" }]'), "Did you mean “line3”"),
    (instead(LINE3, 'if = [{ is = "fromation", pattern = "line3" }]'), "Did you mean “formation”"),
    (instead(TANKS, TANKS.replace("least = 3", "least = 3, within = 2")), "within: unknown key"),
    (instead(TANKS, TANKS.replace("least = 3", "least = -1")), ">= 0"),
    (instead(TANKS, TANKS.replace("least = 3", "least = 100")), "<= 99"),
    (instead(TANKS, TANKS.replace('"zone"', '"near_zone"')), "is none of: board, zone"),
    (instead(TANKS, TANKS.replace("least = 3", 'least = 3, negate = "yes"')), "Expected `bool`"),
    (instead(SUPPLY, SUPPLY.replace('"tank"', '"tanks"')), "Did you mean “tank”"),
    (instead(SUPPLY, 'if = [{ is = "hand", of = "self", least = 1 }]'), "of: unknown key"),
    (instead(SUPPLY, 'if = [{ is = "resource", least = 1 }]'), "resource"),
    (instead(SUPPLY, 'if = [{ is = "role" }]'), "role"),
    (instead(WALK, WALK.replace("walk", "march")), "is none of"),
    (instead(WALK, WALK.replace("amount = 3", "amount = 0")), ">= 1"),
    (instead(WALK, WALK.replace("amount = 3", "amount = 21")), "<= 20"),
    (instead(WALK, WALK.replace("amount = 3", "steps = 3")), "steps: unknown key"),
    (instead(WALK, WALK.replace("amount = 3", 'amount = 3, of = "own"')), "is none of: self"),
    (instead(WALK, 'do = "walk"'), "Expected a list of tables"),
    (instead(WALK, "do = [3]"), "Expected a table"),
    (instead(GAIN, GAIN.replace('"energy"', '"energie"')), "Did you mean “energy”"),
    (instead(GAIN, 'do = [{ do = "gain", amount = 2 }]'), "resource"),
    (instead(GAIN, 'do = [{ do = "manual", text = "" }]'), "length >= 1"),
    (instead(GAIN, 'do = [{ do = "manual" }]'), "text"),
    (instead(GAIN, 'do = [{ do = "modify", unit = "tank" }]'), "rule"),
    (instead(GAIN, 'do = [{ do = "modify", rule = "hp" }]'), "is none of: combat, move"),
    (instead(PLACE, PLACE.replace('"tank"', '"vehicle"')), "is none of: acv"),
    (instead(PLACE, PLACE.replace("within = 2", "within = 31")), "<= 30"),
    (instead(BONUS, BONUS.replace("amount = 1", 'amount = 1, of = "any"')), "is none of: self"),
    (instead(BONUS, BONUS.replace("most = 3", "most = 3, optional = true")), "optional: unknown"),
    (instead('type = "tech"\n', 'type = "techie"\n'), "Did you mean “tech”"),
    (instead('faction = "bukseon"\n', 'faction = "Bukseon"\n'), "Did you mean “bukseon”"),
    (instead(TECH, "cards = [3]"), "Expected `str`"),
    (instead(TECH, f"{TECH}\n¦ability = {{ material = 1 }}"), "title"),
    (instead(TECH, f'{TECH}\n¦ability = {{ title = "A", material = "?" }}'), "Expected `int`"),
    (instead(GAIN, f"{GAIN}\n¦limit = {{ turn = 0 }}"), ">= 1"),
    (instead(GAIN, f"{GAIN}\n¦limit = {{ round = 1 }}"), "round: unknown key"),
    (instead(GAIN, f"{GAIN}\n¦limit = 1"), "Expected a table"),
    (triggered(f'on = "turn", {DRAW}'), "“turn” is none of: turn_begins, turn_ends, war_begins"),
    (triggered(f'on = "palced", {DRAW}'), "Did you mean “placed”"),
    (triggered(DRAW), "on"),
    (triggered(f'on = "placed", energy = 1, {DRAW}'), "energy: unknown key"),
    (passive('gives = "bonuses"'), "Did you mean “bonus”"),
    (passive('gives = "bonus", unit = "tank"'), "unit: unknown key"),
    (passive('gives = "income"'), "resource"),
    (passive('gives = "prevent", amount = -1'), ">= 1"),
    (passive('gives = "move", do = []'), "do: unknown key"),
    (formation("wedge = [[0, 0], [1]]"), "Expected `array` of length 2"),
    (formation('wedge = "o o"'), "Expected `array`"),
    (numbers('"tank.cost" = "?"'), "Expected `int`"),
    (numbers('"tank.cost" = 2.5'), "Expected `int`"),
]
MEANING = [
    (formation("wedge = [[0, 0]]"), "is 2 to 7 fields, each once"),
    (formation("wedge = [[0, 0], [1, 0], [0, 0]]"), "is 2 to 7 fields, each once"),
    (formation(f"wedge = [{', '.join(f'[{k}, 0]' for k in range(8))}]"), "is 2 to 7 fields"),
    (formation("wedge = [[0, 0], [21, 0]]"), "at most 20 far"),
    (formation("line3 = [[0, 0], [1, 0]]"), "is taken already"),
    (formation('"my wedge" = [[0, 0], [1, 0]]'), "cannot be an id"),
    (
        passive('gives = "income", resource = "energy", if = [{ is = "role", role = "attacker" }]'),
        "if[1]: this belongs to war",
    ),
    (triggered('on = "placed", do = [{ do = "bonus" }]'), "do[1]: this belongs to war cards"),
    (triggered(f'on = "war_won", if = [{{ {ATTACKER} }}], {DRAW}'), "if[1]: this belongs to war"),
    (triggered(f'on = "placed", {DRAW}, limit = {{ }}'), "ends only at a limit"),
    (triggered(f'on = "destroyed", {DRAW}, limit = {{ war = 1 }}'), "ends only at a limit"),
    (instead(TECH, f"{TECH}\n¦triggers = [{13 * (ONE + ', ')}]"), "there are 13, and 12"),
    (instead(TECH, f"{TECH}\n¦triggers = [{ONE.replace('Own', ' ')}]"), "the title is one line"),
    (instead(GAIN, f"{GAIN}\n¦limit = {{ war = 1 }}"), "limit.war: this belongs to war cards"),
    (instead(SUPPLY, 'if = [{ is = "any", if = [] }]'), "there are none; write a single one"),
    (instead(SUPPLY, f'if = [{{ is = "all", {LATE} }}]'), "there is one; write a single one"),
    (instead(SUPPLY, f'if = [{{ is = "any", least = 2, {EITHER} }}]'), "take 1 to 1, for all 2"),
    (
        instead(SUPPLY, f'if = [{{ is = "any", {EITHER[:-1]}, {{ {ATTACKER} }}] }}]'),
        "if[3]: this belongs to war cards",
    ),
    (numbers("tank.cost = 3"), 'stands in quotes: "tank.cost" = 1'),
    (instead(GAIN, 'do = [{ do = "manual", text = "  " }]'), "in letters that they can read"),
    (instead(GAIN, 'do = [{ do = "manual", text = "a\\u0007" }]'), "in letters that they can read"),
    (instead('source = "rulebook"', "authority = -4"), "take 0 to 20"),
    (instead('name = "house"', 'name = ""'), "the name is one line"),
    (instead('title = "House box"', 'title = "  "'), "the title is one line"),
    (instead('title = "House box"', f'title = "{"long " * 20}"'), "1 to 60 letters"),
    (numbers('"tnak.cost" = 2'), "Did you mean “tank.cost”"),
    (numbers('"tank.cost" = -1'), "take 0 to 20"),
    (numbers('"tank.supply" = 200'), "take 0 to 20, for a game has 20"),
    (numbers('"tank.hp" = 0'), "no health cannot be destroyed"),
    (numbers('"acv.move" = 0'), "take 1 to 30, for vehicles move"),
    (numbers('"turret.move" = 2'), "structures do not move"),
    (numbers("scrapyard = 0"), "take 1 to 46"),
    (numbers("scrapyard = 47"), "there are 46 units"),
    (numbers("hand_limit = 0"), "take 1 to 25"),
    (numbers("opening_hand = 26"), "a deck has 25 cards"),
    (numbers("move_energy = 0"), "has no end"),
    (numbers("builders = 7"), "six others"),
    (numbers("companion_cards = 0"), "take 1 to 40"),
    (numbers("copies = 0"), "take 1 to 40"),
    (numbers("field_yield = 1000"), "take 0 to 20"),
    (instead('id = "sling"', 'id = ""'), "cannot be an id"),
    (instead('id = "sling"', 'id = "none"'), "cannot be an id"),
    (instead('id = "sling"', 'id = "my sling"'), "cannot be an id"),
    (instead('id = "sling"', f'id = "{"s" * 61}"'), "cannot be an id"),
    (instead('id = "barrier"', 'id = "sling"'), "is taken already"),
    (instead('id = "gondwana_tech"', 'id = "gondwana tech"'), "cannot be an id"),
    (instead('id = "gondwana_tech"', 'id = "gondwana_general"'), "is taken already"),
    (instead('title = "Sling"', 'title = ""'), "the title is one line"),
    (instead('title = "Sling"', 'title = "Sl\\ning"'), "the title is one line"),
    (instead("combat = 3", "combat = -3"), "take 0 to 20"),
    (instead("combat = 3", "combat = 200"), "take 0 to 20"),
    (instead("combat = 3", 'combat = "three"'), "is no number"),
    (instead("combat = 3", 'combat = "?"'), "read it from your box"),
    (instead("combat = 3\nstatus", "material = 1\nstatus"), "a war card costs no material"),
    (("material = 3\n", "material = 3\n¦combat = 2\n"), "an action card has no combat"),
    (instead("material = 3\n", "material = 21\n"), "take 0 to 20"),
    (instead('status = { combat = "D" }', 'status = { combat = "S" }'), "none of T, D, P"),
    (instead('status = { combat = "D" }', 'status = { comabt = "D" }'), "Did you mean “combat”"),
    (("neutral = 2\ncombat = 3", "¦neutral = 3\ncombat = 3"), "take 0 to 2"),
    (("neutral = 2\ncombat = 3", "¦neutral = -1\ncombat = 3"), "take 0 to 2"),
    (instead(SUPPLY, LINE3), "belongs to war cards"),
    (instead(SUPPLY, 'if = [{ is = "role", role = "attacker" }]'), "belongs to war cards"),
    (instead(SUPPLY, TANKS), "belongs to war cards"),
    (instead(GAIN, 'do = [{ do = "prevent" }]'), "belongs to war cards"),
    (instead(GAIN, 'do = [{ do = "destroy", where = "zone" }]'), "belongs to war cards"),
    (instead(GAIN, "do = [" + 13 * '{ do = "draw" },' + "]"), "12 is the most"),
    (("hp = 2\n", "¦hp = 0\n"), "take 1 to 20"),
    (("hp = 2\n", '¦hp = "?"\n'), "read it from your box"),
    (instead(TECH, TECH.replace("crossfire", "crosfire")), "Did you mean “crossfire”"),
    (instead(TECH, TECH.replace("crossfire", "assault")[:-1] + ', "assault"]'), "has 10"),
    (instead(TECH, TECH.replace('"crossfire", ', "")), "a companion has 8 cards, this one has 6"),
    (instead(TECH, TECH.replace("crossfire", "airlift")), "two war cards and two action cards"),
    (instead(TECH, TECH.replace("crossfire", "sling")), "4 copies of a card (sling)"),
    (instead(TECH, TECH.replace("crossfire", "war_bots")), "4 copies of a card (war_bots)"),
    (instead(TECH, f"{TECH}\n¦copies = 0"), "take 1 to 2"),
    (instead(TECH, f'{TECH}\n¦ability = {{ title = "", do = [{{ do = "draw" }}] }}'), "one line"),
    (
        instead(
            TECH, f'{TECH}\n¦ability = {{ title = "A", energy = -1, do = [{{ do = "draw" }}] }}'
        ),
        "take 0 to 20",
    ),
    (
        instead(TECH, f'{TECH}\n¦ability = {{ title = "A", do = [{{ do = "cancel" }}] }}'),
        "belongs to war cards",
    ),
]
ROLES = '{{ is = "role", role = "{}" }}, {{ is = "role", role = "{}"{} }}'
PLACE_TWO = 'do = "place", unit = "turret", amount = 2'
UNUSUAL = [
    (triggered(f'on = "turn_ends", {GAIN}'), "do[1]: this changes nothing here: 2 energy more."),
    (passive('gives = "move", unit = "structure"'), "changes nothing here: +1 move for"),
    (passive('gives = "bonus", amount = 0'), "changes nothing here"),
    (passive('gives = "builders", amount = 2'), "changes nothing here: 2 ACVs"),
    (passive(f'gives = "bonus", if = [{{ {NEVER} }}]'), "can never be"),
    (triggered(f'on = "war_begins", of = "enemy", {DRAW}'), "of means nothing"),
    (triggered(f'on = "turn_begins", unit = "tank", {DRAW}'), "unit means nothing"),
    (triggered('on = "turn_begins"'), "Own does nothing"),
    (triggered(f'on = "turn_begins", if = [{{ {NEVER} }}], {DRAW}'), "can never be"),
    (instead(GAIN, f"{GAIN}\n¦limit = {{ }}"), "limit means nothing"),
    (instead(GAIN, f"{GAIN}\n¦limit = {{ turn = 2, game = 2 }}"), "turn means nothing"),
    (instead(BONUS, f"{BONUS}\n¦limit = {{ turn = 1 }}"), "turn means nothing"),
    (instead(BONUS, f"{BONUS}\n¦limit = {{ war = 1 }}"), "war means nothing"),
    (instead(SUPPLY, f'if = [{{ is = "any", {EITHER[:-1]}, {{ {NEVER} }}] }}]'), "if[3]: this ch"),
    (instead(SUPPLY, f'if = [{{ is = "any", if = [{{ {NEVER} }}, {{ {NEVER} }}] }}]'), "never be"),
    (instead(SUPPLY, f'if = [{{ is = "all", {EITHER[:-1]}, {{ {NEVER} }}] }}]'), "never be"),
    (
        instead(SUPPLY, f'if = [{{ is = "all", negate = true, {EITHER[:-1]}, {{ {NEVER} }}] }}]'),
        "always",
    ),
    (
        instead(SUPPLY, f'if = [{{ is = "any", {EITHER[:-1]}, {{ is = "round", most = 9 }}] }}]'),
        "said alr",
    ),
    (instead(SUPPLY, 'if = [{ is = "lost", unit = "tank", least = 6 }]'), "never be"),
    (instead(SUPPLY, 'if = [{ is = "discards", most = 25 }]'), "always so"),
    (
        instead(
            TANKS, f'if = [{{ is = "all", if = [{ROLES.format("attacker", "defender", "")}] }}]'
        ),
        "never",
    ),
    (instead('title = "Barrier"', 'title = " sling "'), "another card is called"),
    (
        instead('status = { combat = "D" }', 'status = { combat = "D", material = "X" }'),
        "material means nothing",
    ),
    (instead(TANKS, f"if = [{ROLES.format('attacker', 'attacker', '')}]"), "is said already"),
    (instead(TANKS, f"if = [{ROLES.format('attacker', 'defender', '')}]"), "at the same time"),
    (
        instead(TANKS, f"if = [{ROLES.format('attacker', 'attacker', ', negate = true')}]"),
        "at the same time",
    ),
    (
        instead(TANKS, f'{TANKS[:-1]}, {{ is = "count", unit = "vehicle", most = 2 }}]'),
        "at the same time",
    ),
    (
        instead(LINE3, LINE3[:-1] + ', { is = "count", where = "zone", most = 2 }]'),
        "at the same time",
    ),
    (
        instead(SUPPLY, f'{SUPPLY[:-1]}, {{ is = "count", unit = "tank", least = 5 }}]'),
        "at the same time",
    ),
    (
        (f"{SUPPLY}\n{PLACE}", f"{SUPPLY.replace('least = 1', 'most = 0')}\n¦{PLACE}"),
        "at the same time",
    ),
    (instead(GAIN, f"do = [{{ {PLACE_TWO} }}, {{ {PLACE_TWO} }}]"), "at the same time"),
    (instead(GAIN, 'do = [{ do = "relocate", most = 0 }]'), "can never be played"),
    (instead(GAIN, 'do = [{ do = "modify", rule = "move", unit = "structure" }]'), "nothing"),
    (instead(GAIN, 'do = [{ do = "set_rule", rule = "builders", amount = 2 }]'), "nothing"),
    (instead(GAIN, 'do = [{ do = "gain", resource = "energy", per = "" }]'), "per means nothing"),
    (instead(GAIN, 'do = [{ do = "destroy", near = "" }]'), "near means nothing"),
    (instead(BONUS, BONUS.replace("amount = 1", "amount = -1")), "most means nothing"),
    (instead(BONUS, 'do = [{ do = "cancel" }, { do = "cancel" }]'), "changes nothing"),
    (instead(BONUS, 'do = [{ do = "modify", rule = "move" }]'), "changes nothing"),
    (instead(BONUS, 'do = [{ do = "set_rule", rule = "builders" }]'), "changes nothing"),
    (
        instead('[[cards]]\nid = "sling"', EXTRA + '\n[[cards]]\nid = "sling"'),
        "fifth is in no deck",
    ),
    (instead('title = "Barrier"', 'title = "Sling"'), "another card is called Sling"),
    (
        instead(
            f'[[cards]]\nid = "long_march"{MARCH}',
            f'[[cards]]\nid = "long_march"{MARCH.replace(WALK, "")}',
        ),
        "long_march does nothing",
    ),
    (instead(WALK, WALK.replace("vehicle", "turret")), "can never be played"),
    (instead(WALK, WALK.replace("amount = 3", "within = 2")), "within means nothing"),
    (instead(PLACE, PLACE.replace("within = 2", "amount = 6")), "can never be played"),
    (instead(PLACE, PLACE.replace('near = "vehicle", ', "")), "within means nothing"),
    (instead(SABOTAGE, SABOTAGE.replace('"acv"', '"acv", amount = 7')), "can never be played"),
    (instead(SABOTAGE, 'do = [{ do = "damage", unit = "palooza" }]'), "can never be played"),
    (
        instead(SABOTAGE, 'do = [{ do = "damage", unit = "palooza", optional = true }]'),
        "this changes nothing",
    ),
    (instead(RESERVE, 'do = [{ do = "include", where = "zone" }]'), "this changes nothing"),
    (instead(RESERVE, 'do = [{ do = "exclude", where = "near_zone" }]'), "this changes nothing"),
    (instead(RESERVE, RESERVE.replace("within", 'near = "acv", within')), "near means nothing"),
    (instead(RESERVE, RESERVE.replace("near_zone", "board")), "within means nothing"),
    (instead(BONUS, BONUS.replace('per = "tank", ', "")), "most means nothing"),
    (instead(BONUS, BONUS.replace("most = 3", "most = 0")), "this changes nothing"),
    (instead(BONUS, 'do = [{ do = "bonus", amount = 0 }]'), "this changes nothing"),
    (instead(GAIN, GAIN.replace("amount = 2", 'of = "enemy"')), "this changes nothing"),
    (instead(GAIN, 'do = [{ do = "modify", rule = "combat", amount = 0 }]'), "changes nothing"),
    (instead(GAIN, 'do = [{ do = "modify", rule = "move", of = "enemy" }]'), "changes nothing"),
    (instead(GAIN, 'do = [{ do = "modify", rule = "move", unit = "factory" }]'), "nothing"),
    (instead(GAIN, 'do = [{ do = "set_rule", rule = "builders", of = "enemy" }]'), "nothing"),
    (instead(TANKS, TANKS.replace("least = 3", "least = 6")), "can never be played"),
    (instead(TANKS, TANKS.replace("least = 3", "least = 3, most = 2")), "can never be played"),
    (instead(TANKS, TANKS.replace("least = 3", "least = 0")), "this is always so"),
    (instead(TANKS, TANKS.replace("least = 3", "most = 5")), "this is always so"),
    (instead(TANKS, TANKS.replace("least = 3", "least = 6, negate = true")), "always so"),
    (instead(SUPPLY, 'if = [{ is = "round", most = 0 }]'), "can never be played"),
    (instead(SUPPLY, 'if = [{ is = "round", least = 1 }]'), "this is always so"),
    (instead(SUPPLY, 'if = [{ is = "hand", least = 26 }]'), "can never be played"),
    (
        instead(
            TANKS, f'{TANKS[:-1]}, {{ is = "count", unit = "tank", where = "zone", most = 2 }}]'
        ),
        "cannot be at the same time",
    ),
    (
        instead(TANKS, f"{TANKS[:-1]}, {TANKS[6:-2]}, negate = true }}]"),
        "cannot be at the same time",
    ),
]


def findings(text: str) -> list[str]:
    found = looked_over(Source(Path("box.toml"), text))
    return [say(it) for it in (*found.mistakes, *found.unusual)]


def test_what_can_be_is_not_called_unusual() -> None:
    """By hand: near to what cannot be, and possible."""
    both = (
        'do = [{ do = "return", unit = "turret" }, { do = "place", unit = "turret", amount = 3 }]'
    )
    for old, new in (
        (SUPPLY, f'{SUPPLY[:-1]}, {{ is = "count", unit = "tank", least = 4 }}]'),  # of five
        (LINE3, LINE3[:-1] + ', { is = "count", unit = "vehicle", where = "zone", most = 3 }]'),
        (TANKS, f'{TANKS[:-1]}, {{ is = "count", unit = "acv", where = "zone", most = 2 }}]'),
        (TANKS, f'{TANKS[:-1]}, {{ is = "count", of = "enemy", where = "zone", most = 2 }}]'),
        (TANKS, f"if = [{ROLES.format('attacker', 'defender', ', negate = true')}]"),
        (GAIN, both),
        (TECH, f'{TECH}\npassives = [{{ title = "A", gives = "bonus", if = [{{ {ATTACKER} }}] }}]'),
        (TECH, f"{TECH}\ntriggers = [{ONE}]"),
        (TECH, f"{TECH}\ntriggers = [{ONE.replace('placed', 'war_counts')}]"),
        (GAIN, f"{GAIN}\nlimit = {{ turn = 1, game = 2 }}"),
        (GAIN, f'{GAIN}\nif = [{{ is = "any", least = 2, {EITHER[:-1]}, {LATE[6:]} }}]'),
        (GAIN, f'{GAIN}\nif = [{{ is = "lost", least = 5 }}, {{ is = "discards", most = 24 }}]'),
        (GAIN, 'do = [{ do = "manual", text = "One line,\\nand another one." }]'),
        (GAIN, 'do = [{ do = "set_rule", rule = "builders", amount = 1 }]'),
    ):
        assert old in HOUSE
        assert findings(HOUSE.replace(old, new, 1)) == []


def test_the_house_box_is_right() -> None:
    assert findings(HOUSE) == []


def test_what_the_docs_show_is_right() -> None:
    """Each piece of a box in docs/cards.md, where the page says that it stands."""
    docs = (Path(__file__).parents[2] / "docs" / "cards.md").read_text("utf-8")
    shown = re.findall(r"(?:^    .*\n|(?<=\n)\n(?=    ))+", docs, re.MULTILINE)
    pieces = {text.split()[0]: textwrap.dedent(text) for text in shown}
    after = {"if": f"{GAIN}\n", "triggers": f"{TECH}\n", "passives": f"{TECH}\n"}
    for name, line in after.items():
        assert findings(HOUSE.replace(line, line + pieces[name], 1)) == [], name
    assert findings(HOUSE.replace(GAIN, pieces["do"], 1)) == []
    own = HOUSE.replace("[[companions]]", f"{pieces['[formations]']}\n[[companions]]", 1)
    assert findings(own.replace("gap2", "wedge")) == []


@pytest.mark.parametrize(("change", "said"), [*FORM, *MEANING, *UNUSUAL])
def test_a_mistake_is_named_with_its_line(change: tuple[str, str], said: str) -> None:
    old, new = change
    assert old in HOUSE
    text = HOUSE.replace(old, new, 1)
    line = text[: text.index("¦")].count("\n") + 1
    found = findings(text.replace("¦", ""))
    assert any(f"box.toml:{line}: " in it and said in it for it in found), found


def test_all_of_them_are_named_in_one_round() -> None:
    """In one card: a key that there is not, a pattern, a cost that war cards do not have, and an
    effect that does nothing; the card after it and what else is wrong keep their lines."""
    text = HOUSE.replace('id = "sling"', 'id = "sling"\ncolour = "red"', 1)
    text = text.replace("combat = 3", "combat = 3\nmaterial = 1", 1)
    text = text.replace('"gap2" }]', '"gap3" }]\ndo = [\n{ do = "bonus", amount = 0 },\n]', 1)
    text = text.replace("combat = 4", "combat = 40", 1).replace(
        '"war_bots", "sc', '"war_bost", "sc'
    )
    text = text.replace('title = "House box"', 'title = "House box"\n[numbers]\nscrapyard = 0')
    said = "\n".join(findings(text))
    lines = [line for line, _ in enumerate(text.split("\n"), 1)]
    wanted = {
        "scrapyard = 0": "take 1 to 46",
        'cards = ["war_bost"': "Did you mean “war_bots”",
        'colour = "red"': "unknown key",
        "material = 1": "a war card costs no material",
        'if = [{ is = "formation", pattern = "gap3"': "Did you mean “gap2”",
        "combat = 40": "take 0 to 20",
    }
    for begins, what in wanted.items():
        at = next(n for n in lines if text.split("\n")[n - 1].startswith(begins))
        assert re.search(rf"box.toml:{at}: .*{re.escape(what)}", said), (begins, said)


def test_each_effect_of_a_list_has_its_own_line() -> None:
    old, new = "amount = 1, optional = true", "amount = 1, optional = 3"
    text = HOUSE.replace(old, new)
    line = text[: text.index(new)].count("\n") + 1
    (said,) = findings(text)
    assert f"box.toml:{line}: cards[16].do[2].optional" in said


def many(count: int) -> str:
    cards = (EXTRA.replace("fifth", f"c{k}").replace("Fifth", f"C{k}") for k in range(count))
    return HOUSE + "\n" + "\n".join(cards)


@pytest.mark.parametrize(("more", "right"), [(231, True), (232, False)])
def test_a_box_has_255_kinds_of_cards_at_most(more: int, right: bool) -> None:
    """A card is one byte of a position; the house box has 24."""
    mistakes = looked_over(Source(Path("box.toml"), many(more))).mistakes
    assert (mistakes == []) == right
    if not right:
        line = many(more).split("\n").index('id = "c231"')
        assert say(mistakes[0]).startswith(f"box.toml:{line}: cards[256]: there are 256, and 255")


@pytest.mark.long
def test_a_box_of_ten_thousand_is_refused_in_a_sentence() -> None:
    mistakes = looked_over(Source(Path("box.toml"), many(9_976))).mistakes
    assert "there are 10000, and 255" in say(mistakes[0])


def test_check_tells_mistakes_and_what_is_unusual_together(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    unusual = HOUSE.replace('title = "Barrier"', 'title = "Sling"')
    for text, code, said in (
        (HOUSE, 0, ("25 in all", "nothing is wrong")),
        (unusual, 0, ("called Sling too", "25 in all", "1 place is worth a look")),
        (unusual.replace("hp = 2", "hp = 0", 1), 1, ("called Sling too", "take 1 to 20")),
    ):
        path.write_text(text, "utf-8")
        result = invoke("cards", "check", path)
        assert (result.exit_code, [it in result.output for it in said]) == (
            code,
            [True] * len(said),
        )


def test_two_mistakes_of_one_table_are_told_and_its_neighbour_is_looked_at() -> None:
    wrong = '{ is = "any", if = [], then = [] }'
    text = HOUSE.replace(LINE3, f'if = [{wrong}, {{ is = "round", least = 3000 }}]', 1)
    assert text != HOUSE
    found = [say(it) for it in looked_over(Source(Path("box.toml"), text)).mistakes]
    for words in ("are none", "nothing stands there", "if[2].least"):
        assert any(words in it for it in found), found
    whole = looked_over(Source(Path("box.toml"), f"then = []\n{HOUSE}")).mistakes
    assert any("then" in say(it) for it in whole)
