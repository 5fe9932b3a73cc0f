"""Sentences are grammatical whatever is put into them, and have one word for a thing."""

import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import hexboard
from hexboard.game import registry
from hexboard.words import message, say, sentences

GAMES = tuple(sorted({registry.find(name).prefix for name in registry.names()}))
LANGUAGES = ("en", "de")
EVENING = (*GAMES, "table", "web", "front", "tournament", "bots", "journal", "doctor")
"""Whose sentences are said of an evening, or of its journal, with whatever numbers it brings."""
SEVERAL = {
    "table.storm": "thousands",
    "table.touch_many": "one is `touch_none`",
    "table.camera_backs": "one has a sentence of its own",
    "table.camera_board": "a board's cells",
    "table.way_froms": "one is `way_from`",
    "table.way_offs": "one is `way_off`",
    "table.way_ons": "one is `way_on`",
    "table.seal_kept": "a deck",
    "table.seal_holds": "a deck",
    "web.looked_again": "the second time, or later",
    "bad_santa.dead_end": "from two counters on",
    "bad_santa.roll_now": "from two counters on",
    "bad_santa.counters": "a count and what it should be",
    "bad_santa.row": "a row of a board",
    "bad_santa.rows": "the rows of a board",
    "bad_santa.size": "a board's side",
    "hexalma.discs": "of ten and more",
    "hexalma.row": "a row of a board",
    "hexalma.rows": "a board's rows",
    "hextraction.page.touched": "one is `touched_once`",
    "knee_deep.map_right": "a map",
    "knee_deep.why_any": "of two and more",
    "knee_deep.why_scrapyard": "what is in a box",
    "knee_deep.why_hand": "a deck",
    "knee_deep.formation_fields": "a limit of ours",
    "knee_deep.over_limit": "more than a hand holds",
    "hexel.size": "a deck",
    "doctor.card": "a size",
    "doctor.card_worn": "much",
}
"""Sentences whose numbers are never 1, and why."""


@cache
def said(language: str) -> dict[str, str]:
    every = ("table", *GAMES)
    return {
        key: text
        for part in every
        for key, text in sentences(part, language).items()
        if ".value." not in key
    }


@cache
def of_many(language: str) -> frozenset[str]:
    """The words that a number of several has beside it somewhere, and one never has."""
    one, many = set[str](), set[str]()
    for text in said(language).values():
        for _, _, form, _ in Formatter().parse(text):
            if form and "|" in form:
                *_, first, second = form.split("|")
                one.add(first.split(" ")[0])
                many.add(second.split(" ")[0])
    return frozenset(word for word in many - one if word[:1].isalpha())


def wrong_at_one(text: str, language: str) -> list[str]:
    """What stands in a sentence beside a number, and is not said of one."""
    return [
        found[0]
        for found in re.finditer(r"\{(?!seat\b)\w+\} (\w+)|(?:sind|are) \{\w+\}", text)
        if found[1] in of_many(language) | {None}
        and not re.search(
            r"\{(?:left|all|of|cell|slot|unit|field|other|who|id|card|at|file|known|ball|tile|place|seats|sector|what)\}",
            found[0],
        )
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_with_one_of_a_thing_does_not_speak_of_several(language: str) -> None:
    found = {
        key: wrong_at_one(text, language)
        for key, text in said(language).items()
        if key.partition(".")[0] in EVENING and key not in SEVERAL
    }
    assert {key: wrong for key, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("text", "language", "wrong"),
    [
        ("{seat} zahlt {to} {chips} Chips.", "de", ["{chips} Chips"]),
        ("{chips} {chips:Chip|Chips}", "de", []),
        ("that costs {stake} chips", "en", ["{stake} chips"]),
        ("da sind {stock}", "de", ["sind {stock}"]),
    ],
)
def test_what_is_not_said_of_one_is_found(text: str, language: str, wrong: list[str]) -> None:
    assert wrong_at_one(text, language) == wrong


@pytest.mark.parametrize(
    ("key", "values", "en", "de"),
    [
        (
            "journal.behind",
            {"file": "hexel.db", "lost": 1},
            "The journal hexel.db lacks the last entry that the recording says it had.",
            "Dem Journal hexel.db fehlt der letzte Eintrag, den es laut Aufzeichnung hatte.",
        ),
        (
            "journal.behind",
            {"file": "hexel.db", "lost": 2},
            "The journal hexel.db lacks the last 2 entries that the recording says it had.",
            "Dem Journal hexel.db fehlen die letzten 2 Einträge, die es laut Aufzeichnung hatte.",
        ),
        (
            "doctor.recorded",
            {"file": "1.mcap", "count": 1},
            "1.mcap says the same of the one entry of it.",
            "1.mcap sagt von dem einen Eintrag dasselbe.",
        ),
        (
            "hexel.pays",
            {"seat": "Player 1", "to": "Player 2", "chips": 1},
            "Player 1 pays Player 2 1 chip of insurance.",
            "Spieler 1 zahlt Spieler 2 1 Chip Versicherung.",
        ),
        (
            "hexel.takes",
            {"seat": "Player 1", "chips": 1},
            "Player 1 takes the one chip in the Hedges.",
            "Spieler 1 nimmt den einen Chip in den Hedges.",
        ),
        (
            "hexel.hedge_least",
            {"chips": 1, "least": 2},
            "1 chip is fewer than agreed on: 2.",
            "1 Chip ist weniger als vereinbart: 2.",
        ),
        (
            "knee_deep.no_material",
            {"cost": 2, "stock": 1},
            "That costs 2 material, and there is 1.",
            "Das kostet 2 Material, da ist 1.",
        ),
    ],
)
def test_of_one_is_said_as_of_one(key: str, values: dict[str, str | int], en: str, de: str) -> None:
    told = message(key, "", **values)
    assert (say(told), say(told, "de")) == (en, de)


UNITS = ("acv", "tank", "palooza", "extractor", "turret", "factory")
"""Of three genders in German."""


@pytest.mark.parametrize("unit", UNITS)
def test_no_german_sentence_needs_the_gender_of_a_unit(unit: str) -> None:
    """A word before or behind it would have to agree: it stands alone, behind or before a colon,
    in brackets, with its number, or as "je Fabrik", "Fabrik von dir"."""
    alone = re.compile(
        r"(?:^|: |\(|\[Jj]e |\b[Jj]e |\} |\{number\})\{unit\}"
        r"(?:$|[.:)]| von | des Feindes| beider Seiten| aus deinem| im Vorrat| in | auf | vom )"
    )
    table = {key: text for key, text in sentences("knee_deep", "de").items() if "{unit}" in text}
    assert {key: text for key, text in table.items() if not alone.search(text)} == {}
    for key, text in table.items():
        names = {name for _, name, _, _ in Formatter().parse(text) if name} - {"unit"}
        told = say(message(key, "", unit=unit, **dict.fromkeys(names, 1)), "de")
        assert sentences("knee_deep", "de")[f"knee_deep.value.{unit}"] in told


@pytest.mark.parametrize("seats", ["Red", "Red, Blue"])
def test_who_is_asked_can_be_one_or_several(seats: str) -> None:
    waits = say(message("web.waits", seats=seats), "de")
    late = say(message("web.late", seats=seats, seconds=30), "de")
    assert re.search(r"\b(?:ist|sind|hat|haben)\b", waits + late) is None


OTHERWISE = {
    r"Telefon": "Handy",
    r"Erster Sitz|Zweiter Sitz|an den Sitzen": "Platz",
    r"jeder Platz voll|\bderen Plätze": "Feld",
    r"\bein Hoxla": "eine Hoxla",
    r"Eröffnungslinie": "Startreihe",
    r"Wirkung": "Effekt",
    r"Endzone": "Zielzone",
    r"\bHalle\b": "Saal",
    r"Leiterplatte": "Platine",
    r"Leitung „?\{rail\}": "Schiene",
    r"\bAufnahme": "Aufzeichnung",
    r"Entscheidung": "Entscheid",
    r"Ctrl-C": "Strg-C",
    r"Brett-Datei": "Brettdatei",
    r"Tippe ihn ein|Zug tippen|Tippe einen Zug|tippe, welchen": "eingeben; tippen is a finger's",
}
"""What our German sentences say by another word."""


def test_german_has_one_word_for_a_thing() -> None:
    """In sentences, and on pages."""
    said = [text for part in ("table", *GAMES) for text in sentences(part, "de").values()]
    guide = Path(__file__).parents[1] / "hardware" / "guide.de.md"
    pages = [guide, *Path(hexboard.__file__).parent.glob("games/*/locale/de.md")]
    said += [line for page in pages for line in page.read_text("utf-8").splitlines()]
    for word, instead in OTHERWISE.items():
        assert [text for text in said if re.search(word, text)] == [], instead
