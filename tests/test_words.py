"""Every key that is spoken has an English sentence, every sentence gets its values, none is unused.

Keys are found in the source: as the first argument of whatever makes a message or an error of ours,
and as any other string that looks like one. A computed key must stand in `COMPUTED`.
"""

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import fields

import hexboard
from hexboard.board import find, load, sensor_places
from hexboard.commands.build.house import FEES
from hexboard.game import registry
from hexboard.games.hexel.state import PHASES
from hexboard.games.hextraction.rules import state
from hexboard.games.hextraction.rules.acts import Act
from hexboard.games.hextraction.rules.position import TOLD
from hexboard.games.hextraction.tiles.effects import EXTRAS
from hexboard.games.knee_deep import phrases
from hexboard.games.knee_deep.cards import TYPES
from hexboard.games.knee_deep.conditions import AnyCondition
from hexboard.games.knee_deep.effects import ASKED
from hexboard.games.knee_deep.entries import AnyEffect
from hexboard.games.knee_deep.ground import GROUNDS
from hexboard.games.knee_deep.moves import SITUATIONS
from hexboard.games.knee_deep.state import PATTERNS
from hexboard.games.knee_deep.triggers import OF_SIDES, OF_UNITS, TURNS, UNASKED
from hexboard.games.knee_deep.values import GROUPS
from hexboard.games.knee_deep.values import KINDS as KINDS_OF_UNITS
from hexboard.lights.legend import HUES, RHYTHMS
from hexboard.scene import Meaning
from hexboard.words import Message, _few, _flat, _Number, errors, languages, message, say, sentences
from tests.source import parsed

ROOT = Path(hexboard.__file__).parent
SOURCES = (ROOT, ROOT.parent / "calibration")
KINDS = {*sensor_places(load(find("hextraction-22")))}
FELT = {*KINDS, "pad"}
OWNERS = ("self", "enemy", "any")
LOCATED = {"file", "line", "path"}
MAKERS: dict[str, set[str]] = {
    "message": set(),
    "__init__": set(),
    "mistake": LOCATED,
    "_wrong": LOCATED,
    "_unreadable": {"file"},
    "_bad": {"file"},
    "told": set(),
    "tells": set(),
}
"""What makes a message, by name, and the values that it adds itself."""
ASKED_FOR = re.compile(r"\.(option|choice|light|title|aim)\b")
IN_SCRIPT = re.compile(r'"((?:page|[a-z_]+\.page)\.\w+)"')
"""Sentences that are asked for by their kind, of whatever game there is; in a script."""
CONDITIONS = (
    *("rolled_this_turn", "board_full", "power_on", "fell_through_open", "highest_open", "top_row"),
    *("balls_on_self", "balls_on_self_exactly", "count", "count_exactly"),
    *("installed", "below", "part"),
)
"""What effects of tiles can depend on (docs/tiles.md)."""
SPANS = ("turn", "war", "game")
CHOSEN = ("field", "unit")
"""What is chosen for a card whose sentence the question has."""
COMPUTED = {
    "f'doctor.sign_{state}'": {f"doctor.sign_{it}" for it in ("good", "look", "mend")},
    "f\"vision.move_{move['verdict']}\"": {
        *("vision.move_same", "vision.move_accept", "vision.move_ask"),
        *("vision.move_partly", "vision.move_unclear", "vision.move_strange"),
    },
    "f'bill.fee_{it.what}'": {f"bill.fee_{it}" for it in FEES},
    "f'hextraction.{key}'": {
        *("hextraction.ask_roll_play", "hextraction.ask_roll_clear", "hextraction.ask_roll"),
        *("hextraction.ask_play", "hextraction.ask_clear", "hextraction.ask_end"),
        "hextraction.ask_activate",
        *("hextraction.ask_wait", "hextraction.ask_break"),
    },
    "f\"rail_{('off', 'on')[action.on]}\"": {"hextraction.rail_on", "hextraction.rail_off"},
    "f\"offline_{('off', 'on')[offline]}\"": {"hextraction.offline_on", "hextraction.offline_off"},
    "f\"overdrive_{('off', 'on')[after.overdrive]}\"": {
        *("hextraction.overdrive_on", "hextraction.overdrive_off"),
    },
    "f'hextraction.{says}_{word}'": {
        f"hextraction.{says}_{word}" for says in ("if", "unless") for word in CONDITIONS
    },
    "f'hextraction.do_{what}'": {
        *("hextraction.do_break", "hextraction.do_clear", "hextraction.do_end"),
        *("hextraction.do_nay", "hextraction.do_yea", "hextraction.do_activate"),
        *("hextraction.do_nay_forbidden", "hextraction.do_yea_forbidden"),
        *("hextraction.do_resolve", "hextraction.do_choose", "hextraction.do_choose_done"),
        *("hextraction.do_choose_yes", "hextraction.do_choose_no"),
        *("hextraction.do_choose_none", "hextraction.do_choose_turn"),
        *("hextraction.do_reveal", "hextraction.do_ignore", "hextraction.do_fetch"),
        *(
            "hextraction.do_roll",
            "hextraction.do_lack",
            "hextraction.do_discard",
            "hextraction.do_discard_hidden",
        ),
        *("hextraction.do_choose_placed", "hextraction.do_choose_tile"),
        *(
            "hextraction.do_activate_one",
            "hextraction.do_resolve_one",
            "hextraction.do_resolve_ball",
        ),
    },
    "f'hextraction.say_{what}'": {f"hextraction.say_{act.__name__.lower()}" for act in Act.__args__}
    | {"hextraction.say_nocard_held"},
    "f'hextraction.ask_{key}'": {f"hextraction.ask_to_{op}" for op in TOLD}
    | {f"hextraction.ask_{key}" for key in ("choose", "hand", "may", "whom")},
    "f'hextraction.ask_{asked.kind}_now'": {
        *("hextraction.ask_roll_now", "hextraction.ask_play_now", "hextraction.ask_create_now"),
    },
    "f'hextraction.barred_{what}'": {"hextraction.barred_roll", "hextraction.barred_play"},
    "f'suffers_{what}'": {f"hextraction.suffers_{what}" for what in EXTRAS},
    "f'spared_{what}'": {f"hextraction.spared_{what}" for what in EXTRAS},
    "f'bars_{what}'": {f"hextraction.bars_{what}" for what in EXTRAS},
    "f'extra_{job.op.what}'": {f"hextraction.extra_{what}" for what in EXTRAS},
    "f'calibration.{wants}_{kind}'": {
        f"calibration.{wants}_{kind}" for wants in ("visit", "exactly") for kind in FELT
    },
    "f'calibration.exactly_{kind}'": {f"calibration.exactly_{kind}" for kind in FELT},
    "f'calibration.keys_{wants}'": {
        *("calibration.keys_colour", "calibration.keys_same"),
        *("calibration.keys_spot", "calibration.keys_trigger"),
    },
    "f'calibration.{key}'": {"calibration.where", "calibration.probe", "calibration.where_each"},
    "f'calibration.is_{finding.kind}'": {
        *("calibration.is_dead", "calibration.is_stuck", "calibration.is_inverted"),
        *("calibration.is_noisy", "calibration.is_crosstalk", "calibration.is_swapped"),
        "calibration.is_absent",
        *("calibration.is_instead", "calibration.is_unclear", "calibration.is_weak"),
        *("calibration.is_shifted", "calibration.is_reversed", "calibration.is_plugs"),
        *("calibration.is_silent", "calibration.is_ground"),
    },
    "f'build.said_{what}'": {
        *("build.said_start", "build.said_where", "build.said_lies", "build.said_power"),
    },
    "f'sensor.{state}'": {"sensor.chattering", "sensor.stuck"},
    "f\"sensor.{verdict.state or 'healthy'}\"": {
        *("sensor.chattering", "sensor.stuck", "sensor.healthy"),
    },
    "f'{key}_at_most'": {
        *("knee_deep.does_for_each_at_most", "knee_deep.does_for_each_in_war_at_most"),
    },
    "f'knee_deep.ask_{ask}'": {f"knee_deep.ask_{it}" for it in ASKED if it not in CHOSEN},
    "f'knee_deep.ask_which_{ask}'": {f"knee_deep.ask_which_{it}" for it in CHOSEN},
    **{
        f"f'knee_deep.{part}_{{{name}}}'": {f"knee_deep.{part}_{each}" for each in every}
        for part, name, every in (
            ("formation", "self.pattern", (*PATTERNS, "skirmish")),
            ("role", "self.role", ("attacker", "defender")),
            ("unit", "unit", GROUPS),
            ("unit", "self.unit", GROUPS),
            ("unit", "self.per", GROUPS),
            ("unit", "near", GROUPS),
            ("of", "of", OWNERS),
            ("supply", "self.of", OWNERS),
            ("discards", "self.of", OWNERS),
            ("limit", "span", SPANS),
            ("limit", "it", SPANS),
            ("for", "of", OWNERS),
            ("for", "self.of", OWNERS),
            ("does_discard", "self.of", ("self", "enemy")),
            ("does_peek", "self.of", ("self", "enemy")),
        )
    },
    "f'knee_deep.new_{it}'": {"knee_deep.new_yes", "knee_deep.new_no"},
    "f'knee_deep.new_{key}'": {"knee_deep.new_material", "knee_deep.new_energy"},
    "f'knee_deep.new_{span}'": {"knee_deep.new_turn", "knee_deep.new_game"},
    "f'knee_deep.new_{what}'": {"knee_deep.new_condition", "knee_deep.new_effect"},
    "f'knee_deep.new_{what}_more'": {
        *("knee_deep.new_condition_more", "knee_deep.new_effect_more"),
    },
    "f'knee_deep.new_field_{field.name}'": {
        f"knee_deep.new_field_{field.name}"
        for kind in (*get_args(AnyEffect), *get_args(AnyCondition))
        for field in fields(kind)
    },
    "f'knee_deep.face_{card.kind}'": {"knee_deep.face_war", "knee_deep.face_action"},
    "f'knee_deep.timing_{card.kind}'": {"knee_deep.timing_war", "knee_deep.timing_action"},
    "f'knee_deep.when_{on}'": {f"knee_deep.when_{on}" for on in UNASKED},
    "f'knee_deep.when_{trigger.on}'": {f"knee_deep.when_{on}" for on in OF_UNITS.values()},
    "f'knee_deep.when_{on}_{trigger.of}'": {
        f"knee_deep.when_{on}_{of}" for on in (*OF_SIDES.values(), *TURNS.values()) for of in OWNERS
    },
    "f'knee_deep.unit_{kind}'": {f"knee_deep.unit_{kind}" for kind in KINDS_OF_UNITS},
    "f'knee_deep.waits_{now}'": {
        *(f"knee_deep.waits_{now}" for now in SITUATIONS if now != "over"),
    },
    "f'hexel.waits_{position.phase}'": {
        *(f"hexel.waits_{phase}" for phase in PHASES if phase != "over"),
    },
    "f'hexalma.say_{verb}'": {"hexalma.say_resign", "hexalma.say_draw"},
    "f'knee_deep.say_{act.verb}'": {
        f"knee_deep.say_{verb}" for verb in (*phrases.PLAIN, *phrases.CARDS, *phrases.CHOICES)
    },
    "f'knee_deep.say_{act.verb}_one'": {
        *(f"knee_deep.say_{verb}_one" for verb in phrases.CARDS),
    },
    "f'knee_deep.say_{act.verb}_none'": {
        *("knee_deep.say_lay_none", "knee_deep.say_retrieve_none", "knee_deep.say_search_none"),
        *(f"knee_deep.say_{verb}_none" for verb in phrases.FREE),
    },
    "f'light.{scene}'": {f"light.{meaning}" for meaning in Meaning},
    "f'light.{meaning}'": {f"light.{meaning}" for meaning in Meaning},
    "f'hue.{name}'": {f"hue.{name}" for _, name in HUES},
    "f'rhythm.{rhythm}'": {
        *(f"rhythm.{name}" for name in RHYTHMS.values()),
        *("rhythm.calm_blink", "rhythm.calm_count", "rhythm.pulse_one"),
    },
    "f'calibration.{how}'": {
        *("calibration.saved", "calibration.stopped", "calibration.learned"),
        *("calibration.forgotten", "calibration.frozen", "calibration.thawed"),
        "calibration.moved",
    },
    "f'pixels.permission_{source}'": {"pixels.permission_pwm", "pixels.permission_spi"},
}
"""Expressions that compute a key, and every key they can be."""
OURS = {key: it for key, it in sentences("table").items() if ".value." not in key}
GAMES = sorted(path.parts[-3] for path in (ROOT / "games").glob("*/locale/en.toml"))
DECLARED = {game.prefix for game in map(registry.find, registry.names())}
GAME = {key: text for name in GAMES for key, text in sentences(name).items()}
SENTENCES = OURS | GAME
SECTIONS = {key.split(".")[0] for key in SENTENCES}
SUFFIXES = {"json", "toml", "db", "html", "js", "py", "svg"}
"""Ends of file names, which look like keys."""


@cache
def files() -> dict[Path, ast.Module]:
    """Every module of ours, parsed."""
    paths = (path for root in SOURCES for path in sorted(root.rglob("*.py")))
    return {path: parsed(path) for path in paths}


@cache
def nodes() -> tuple[ast.AST, ...]:
    """All that these modules consist of."""
    return tuple(node for tree in files().values() for node in ast.walk(tree))


def error_names() -> set[str]:
    """The names of all our errors, also those that modules define for themselves."""
    names = {"HexboardError"}
    classes = [node for node in nodes() if isinstance(node, ast.ClassDef)]
    for _ in range(3):
        names |= {c.name for c in classes if names & {ast.unparse(base) for base in c.bases}}
    return names


def is_key(text: object) -> bool:
    if not isinstance(text, str) or text.count(".") != 1:
        return False
    section, rest = text.split(".")
    return section in SECTIONS and rest.isidentifier() and rest not in SUFFIXES


def keys_in(node: ast.expr, name: str, function: ast.AST) -> set[str]:
    """The keys that an expression, the first argument of the maker `name`, can be."""
    match node:
        case ast.Constant(str(text)):
            return {f"hextraction.{text}" if name == "told" else text}
        case ast.IfExp(_, one, other):
            return keys_in(one, name, function) | keys_in(other, name, function)
        case ast.JoinedStr():
            return COMPUTED[ast.unparse(node)]
        case ast.Name(variable):
            given = [
                n
                for n in ast.walk(function)
                if isinstance(n, ast.Assign)
                and ast.unparse(n.targets[0]) == variable
                and n.lineno < node.lineno
            ]
            last = max(given, key=lambda assign: assign.lineno, default=None)
            return keys_in(last.value, name, function) if last else set()
    return set()


@cache
def uses() -> tuple[tuple[str, str, set[str]], ...]:
    """(place, key, names of the values given) of every message that the source makes."""
    return tuple(_uses())


def _uses() -> Iterator[tuple[str, str, set[str]]]:
    makers = MAKERS | {name: set[str]() for name in error_names()}
    for path, tree in files().items():
        kinds = ast.FunctionDef | ast.AsyncFunctionDef
        functions = [n for n in ast.walk(tree) if isinstance(n, kinds)]
        for function in functions:
            for call in (n for n in ast.walk(function) if isinstance(n, ast.Call) and n.args):
                name = getattr(call.func, "attr", getattr(call.func, "id", ""))
                at = f"{path.relative_to(ROOT.parent)}:{call.lineno}"
                given = {keyword.arg for keyword in call.keywords}
                key_at = 1 if name == "told" else 0  # `told` and `destroy` take a state first
                if (
                    name == "destroy"
                    and len(call.args) > 2
                    and isinstance(call.args[2], ast.Constant)
                ):
                    yield at, f"hextraction.{call.args[2].value!s}", {"slot", "tile"}
                elif (
                    name in makers and len(call.args) > key_at and None not in given
                ):  # None: **values, a maker itself
                    for key in keys_in(call.args[key_at], name, function):
                        if "." in key:
                            yield at, key, makers[name] | {word for word in given if word}


@cache
def spoken() -> set[str]:
    """Every key in the source, however it gets to where it is spoken."""
    found = {key for _, key, _ in uses()}
    strings = [node for node in nodes() if isinstance(node, ast.JoinedStr)]
    parts = {id(value) for computed in strings for value in computed.values}
    for computed in strings:
        found |= COMPUTED.get(ast.unparse(computed), set())
    for node in nodes():
        if isinstance(node, ast.Constant) and is_key(node.value) and id(node) not in parts:
            found.add(str(node.value))
    return found | {key for text in scripts().values() for key in IN_SCRIPT.findall(text)}


@cache
def scripts() -> dict[str, str]:
    """The page's scripts and frames, and those of games, without their comments."""
    paths = (*ROOT.glob("web/static/*.js"), *ROOT.glob("games/*/page/*.js"))
    paths = (*paths, *ROOT.glob("web/static/*.html"))
    texts = {str(it.relative_to(ROOT)): it.read_text("utf-8") for it in sorted(paths)}
    return {
        path: re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.S)
        for path, text in texts.items()
    }


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.long
def test_every_key_that_is_spoken_has_a_sentence() -> None:
    assert {key for key in spoken() if key not in SENTENCES} == set()


def test_every_sentence_is_spoken_somewhere() -> None:
    named = {key for key in SENTENCES if ASKED_FOR.search(key)}
    assert SENTENCES.keys() - spoken() - named == set()


def test_every_sentence_gets_all_its_values_wherever_it_is_spoken() -> None:
    lacking = [
        (at, key, places(SENTENCES[key]) - given)
        for at, key, given in uses()
        if not places(SENTENCES.get(key, "")) <= given
    ]
    assert lacking == []


def test_a_sentence_spoken_from_afar_needs_no_values() -> None:
    """Where the key travels as a bare string, no values travel with it."""
    direct = {key for _, key, _ in uses()} | {key for key in spoken() if ".page." in f".{key}"}
    assert {key for key in spoken() - direct if places(SENTENCES.get(key, ""))} == set()


def test_computed_keys_are_still_computed() -> None:
    computed = {ast.unparse(node) for node in nodes() if isinstance(node, ast.JoinedStr)}
    assert COMPUTED.keys() <= computed


def test_the_search_finds_what_is_known_to_be_there() -> None:
    """If it found nothing, everything above would pass."""
    found = {(at.split(":")[0], key) for at, key, _ in uses()}
    assert ("controller/games/hextraction/rules/stabilising.py", "hextraction.lost_tile") in found
    assert ("controller/games/hextraction/rules/moves.py", "hextraction.must_roll") in found
    assert ("controller/board/file.py", "board.input_twice") in found
    assert ("controller/files.py", "file.unknown") in found
    assert ("controller/board/file.py", "board.input_twice") in found
    assert ("controller/files.py", "file.unknown") in found
    assert ("controller/words/errors.py", "file.bad") in found
    assert len({key for _, key in found}) > 100


# ------------------------------------------------------------------------------- in scripts

SHOWN = re.compile(r">\s*([^<>{}$`=&|;()]*[A-Za-z]{2}[^<>{}$`=&|;()]*)<")
"""Between elements."""
NAMED = re.compile(
    r"\b(?:aria-label|aria-valuetext|title|placeholder|alt|label|really|word)="
    r'"([^"$]*[A-Za-z][^"$]*)"'
)
"""In the attributes that people read."""
SAID = re.compile(r'["`]([A-Z][a-z]+[ ,.…][^"`\n]*|[a-z]+ (?:[a-z]+ )+[a-z]+[.…?]?)["`]')
"""A string that reads as a sentence, or as three words."""
ALONE = re.compile(r'"([A-Z][a-z]{2,}[.…:?!]?)"')
"""A string of one word as a label has it."""
COUNTED = re.compile(r"`(?:\$\{[^{}]*\} )+([a-z]+(?: [a-z]+)+)")
"""Words that follow a value."""
NO_WORDS = re.compile(
    r"^(?:default-src.*|Shift ← →|Enter|Esc(?:ape)?|the ball is gone|Ext|Tur|Fac)$"
)
"""A policy, keys of the keyboard, a reason that the journal keeps, units by their short names."""
CLASSES = re.compile(r'class=(?:\$\{[^}]*\}|"[^"]*")')


SEARCHED = (SHOWN, NAMED, SAID, ALONE, COUNTED)


def english_in(text: str) -> set[str]:
    """What people would read in a script that stands in no table."""
    bare = CLASSES.sub("", text)
    shown = {it.strip() for pattern in SEARCHED for it in pattern.findall(bare)}
    return {it for it in shown if it and not NO_WORDS.search(it)}


def test_no_script_says_what_is_in_no_table() -> None:
    found = {path: english_in(text) for path, text in scripts().items()}
    assert {path: told for path, told in found.items() if told} == {}


@pytest.mark.parametrize(
    "text",
    [
        "html`<p>Hello there.</p>`",
        'html`<button aria-label="Close" />`',
        'const hint = some ? "Touch its cell." : "";',
        "const hint = `Touch ${cell} now`;",
        "html`<b>${n}</b> moves<i>`",
        'const word = mine ? "Yours" : theirs;',
        "const told = `${count} cards left`;",
    ],
)
def test_a_sentence_in_a_script_is_found(text: str) -> None:
    assert english_in(text)


def test_every_value_that_a_script_gives_has_its_place() -> None:
    """And the other way round, where the values stand beside the key."""
    call = re.compile(r'phrase\("([a-z_.]+)"(?:, \{([^{}]*)\})?\)')
    for text in scripts().values():
        for key, values in call.findall(text):
            given = {it.split(":")[0].strip() for it in values.split(", ") if it.strip()}
            assert places(SENTENCES[key]) == {it for it in given if it.isidentifier()}, key


# ---------------------------------------------------------------------------- other languages

TABLES = {"": OURS, **{name: sentences(name) for name in GAMES}}


@pytest.mark.parametrize("language", [it for it in languages() if it != "en"])
@pytest.mark.parametrize("part", TABLES, ids=lambda it: it or "ours")
def test_a_language_has_every_sentence_with_its_values_and_no_other(
    part: str, language: str
) -> None:
    table = ROOT / "games" / part / "locale" if part else ROOT / "locale"
    found = _flat(tomllib.loads((table / f"{language}.toml").read_text("utf-8")))
    told = {key: text for key, text in found.items() if ".value." not in key}
    assert told.keys() ^ TABLES[part].keys() == set()
    assert {key for key in told if places(told[key]) != places(TABLES[part][key])} == set()
    for key, text in told.items():
        numbers = dict.fromkeys(places(text), _Number(2))
        assert text.format(**numbers), key  # raises what is wrong with it


@pytest.mark.parametrize("language", [it for it in languages() if it != "en"])
def test_every_word_of_a_game_that_is_a_value_has_its_translation(language: str) -> None:
    for part, words in {
        "hextraction": state.SEATS,
        "knee_deep": (*KINDS_OF_UNITS, *TYPES, *GROUNDS),
    }.items():
        known = sentences(part, language)
        assert {word for word in words if f"{part}.value.{word}" not in known} == set()


# ---------------------------------------------------------------------------------- saying


def test_our_table_is_the_same_where_it_is_read_by_sections() -> None:
    whole = sentences("table")
    parts = {key.partition(".")[0] for key in whole}
    read = {key: said for part in parts for key, said in _few(part, "en").items()}
    assert read == whole
    assert "cli.taken" not in _few("table", "en")


def test_a_sentence_is_said_with_its_values() -> None:
    assert say(message("board.no_edges", file="a.toml", line=3, path="zones[1]")).startswith(
        "a.toml:3: zones[1]: "
    )


def test_a_missing_sentence_is_shown_as_its_key_and_values() -> None:
    assert say(message("nowhere.said", "1.2", ball=3)) == "nowhere.said {'ball': 3}"


def test_a_word_that_was_meant_is_asked_for_where_there_is_one() -> None:
    said = say(message("game.none", name="hexallma", near="hexalma", known="hexalma"))
    assert said == "There is no game “hexallma”. Did you mean “hexalma”? Known: hexalma."
    said = say(message("game.none", name="chess", near="", known="hexalma"))
    assert said == "There is no game “chess”. Known: hexalma."


def test_equal_values_make_equal_messages_in_any_order() -> None:
    assert message("a.b", a=1, b=2) == message("a.b", b=2, a=1)
    assert message("a.b", "r", a=1) == Message("a.b", "r", (("a", 1),))


@pytest.mark.parametrize("name", ["IllegalAction", "BadText", "BadFile", "BadRecording"])
def test_an_error_of_ours_is_the_built_in_kind_and_a_sentence(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, errors.HexboardError)
    assert issubclass(kind, ValueError)
    assert str(errors.BadText("hextraction.no_slot", slot="F9")) == "There is no slot F9."


def test_sentences_with_a_missing_value_do_not_hide_the_message() -> None:
    assert "hextraction.no_slot" in say(Message("hextraction.no_slot"))
