"""Numbers with a fraction are written as the language that is spoken writes them."""

import re
from pathlib import Path

import pytest

import hexboard
from hexboard.commands.see import _spelt
from hexboard.words import Message, message, say, speaking
from hexboard.words.numbers import decimal, in_bytes, spelt
from tests.cli import invoke


def said(told: object, language: str) -> str:
    return say(told, language) if isinstance(told, Message) else str(told)


@pytest.mark.parametrize(
    ("amount", "digits", "en", "de"),
    [
        (0.355, 2, "0.35", "0,35"),
        (40.0, None, "40", "40"),
        (2.54, None, "2.54", "2,54"),
        (-0.5, 1, "-0.5", "-0,5"),
        (12345.0, 0, "12345", "12345"),
    ],
)
def test_a_decimal_sign_is_the_languages_own(
    amount: float, digits: int | None, en: str, de: str
) -> None:
    assert [said(decimal(amount, digits), it) for it in ("en", "de")] == [en, de]
    with speaking("de"):
        assert spelt(amount, digits) == de


@pytest.mark.parametrize(
    ("count", "en", "de"),
    [
        (0, "0 bytes", "0 Bytes"),
        (1, "1 byte", "1 Byte"),
        (999, "999 bytes", "999 Bytes"),
        (1000, "1.0 kB", "1,0 kB"),
        (999_900, "999.9 kB", "999,9 kB"),
        (999_999, "1.0 MB", "1,0 MB"),
        (73_100_000_000, "73.1 GB", "73,1 GB"),
        (5_000_000_000_000_000, "5000.0 TB", "5000,0 TB"),
    ],
)
def test_so_many_bytes_are_said_as_disks_are_measured(count: int, en: str, de: str) -> None:
    assert [say(in_bytes(count), it) for it in ("en", "de")] == [en, de]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("build", "hextraction-22", "--bill"), marks=pytest.mark.long),
        ("build", "hextraction-22", "--power"),
        ("show", "hextraction-22"),
        pytest.param(("doctor", "--simulate"), marks=pytest.mark.long),
    ],
)
def test_what_is_said_in_german_has_no_number_of_english(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    told = invoke("--language", "de", *words, home=tmp_path).output
    found = re.findall(r"(?<![\w.-])\d+\.\d+(?![\w.-]| ?oder neuer)", told)
    assert found == []
    assert len(told) > 100


def test_a_number_in_a_message_stays_a_value() -> None:
    told = message("board.titled", name="x", text="y", pitch=decimal(40.5))
    assert say(told) == "x: y, 40.5 mm between cells"
    assert say(told, "de") == "x: y, 40,5 mm zwischen Feldern"


def test_no_page_says_a_number_with_a_unit_and_a_sign_of_english() -> None:
    """`decimal` of words.js does; what is drawn has no unit."""
    folder = Path(hexboard.__file__).parent
    scripts = [*folder.glob("web/static/*.js"), *folder.glob("games/*/page/*.js")]
    assert len(scripts) > 20
    found = [
        it.name
        for it in scripts
        if re.search(r"toFixed\(\d\)\} ?(s|%|mm)\b", it.read_text("utf-8"))
    ]
    assert found == []


def test_by_how_much_a_move_is_sure_is_said_with_the_languages_sign() -> None:
    move = {"verdict": "accept", "moves": [["b3-c3"]], "gap": 12.34, "against": []}
    told = {"file": "x.jpg", "pieces": {}, "doubtful": {}, "unknown": [], "hand": False}
    with speaking("de"):
        assert _spelt({**told, "move": move}).endswith("der Zug: b3-c3 (um 12,3 nat)")
    assert _spelt({**told, "move": move}).endswith("the move: b3-c3 (by 12.3 nats)")
