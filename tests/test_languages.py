"""Languages: whose sentences are said where, and what a table that is wrong does."""

import contextlib
import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.requests import HTTPConnection

import hexboard
from hexboard.commands.cli import main
from hexboard.devices.link import silence
from hexboard.devices.session import Session
from hexboard.game import registry
from hexboard.table.restore import Step
from hexboard.web.page import OpenPage
from hexboard.web.plain import plain_page
from hexboard.web.sheet import called
from hexboard.web.shell import shell
from hexboard.web.spoken import KEPT, page_words, page_words_json, spoken_by
from hexboard.words import (
    Message,
    chosen,
    forget,
    languages,
    look_in,
    message,
    say,
    sentences,
    speaking,
    teach,
    translated,
    unread,
)
from hexboard.words.answers import agreed, letters
from tests.cli import invoke
from tests.strangers import keep, one_file

FRAME = (Path(hexboard.__file__).parent / "web" / "static" / "page.html").read_text("utf-8")
PARTS = ("table", *sorted({registry.find(name).prefix for name in registry.names()}))
TABLE = """
[words]
value."Red" = "Roth"
[web]
host = "der Wirth"
too_fast = "Gemach!"
late = "{seats}: {seconds} {seconds:Secunde|Secunden}"
looked = "{nobody} sah {seat}"
waits = "{seats:gar|nicht|wahr}"
[hexalma]
title = "Alma {"
"""


@pytest.fixture
def xx(tmp_path: Path) -> Iterator[Path]:
    """A home with a table of a language of its own."""
    (tmp_path / "locale").mkdir()
    (tmp_path / "locale" / "xx.toml").write_text(TABLE, "utf-8")
    look_in(tmp_path / "locale")
    registry.find("hexalma")  # its sentences are known with it
    yield tmp_path
    look_in(tmp_path / "none")


def test_a_language_is_there_when_its_file_is(xx: Path) -> None:
    assert languages()[0] == "en"
    assert "xx" in languages()
    assert say(message("web.too_fast"), "xx") == "Gemach!"
    with speaking("xx"):
        assert say(message("web.too_fast")) == "Gemach!"
    assert say(message("web.too_fast")) == "That was too fast for me. Try again."


@pytest.mark.parametrize(
    ("key", "values", "said"),
    [
        ("table.yes", {}, "Yes"),  # lacking
        ("web.looked", {"seat": "Red"}, "The host's page showed Red's cards."),  # no such value
        ("web.waits", {"seats": "Red"}, "Asked of Red."),  # three forms of a word
        ("hexalma.title", {}, "HexAlma"),  # a bracket that never closes
        ("no.such", {"n": 1}, "no.such {'n': 1}"),
    ],
)
def test_what_a_table_lacks_or_gets_wrong_is_said_in_english(
    xx: Path, key: str, values: dict[str, str | int], said: str
) -> None:
    assert say(message(key, "", **values), "xx").replace("Roth", "Red") == said


@pytest.mark.parametrize("name", registry.names())
def test_what_hands_move_is_said_in_german(name: str) -> None:
    game = registry.find(name)
    position = game.begin(registry.board(name), {})
    things = set[str]()
    for code in range(256):
        with contextlib.suppress(IndexError):
            things |= {thing for thing in game.things(position, code) if thing}
    assert bool(things) == (game.handled is not None)
    for thing in things:
        told = Step((thing,), "", "c1").message
        assert say(told) == f"Put the {thing} on c1"
        assert thing not in say(told, "de")


def test_a_games_own_table_translates_what_hands_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of a package: `Handled.things` names what a hand moves, in English."""
    (folder := tmp_path / "ringing" / "locale").mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "en.toml").write_text("[ringing]\n", "utf-8")
    (folder / "de.toml").write_text('[ringing.value]\n"brass ring" = "Messingring"\n', "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    told = Step(("brass ring",), "", "c1").message
    teach("ringing", "ringing", {})
    try:
        assert "Messingring" in say(told, "de")
        assert say(told) == "Put the brass ring on c1"
    finally:
        forget("ringing")


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_an_option_can_be_is_said_in_words(name: str, language: str) -> None:
    game = registry.find(name)
    with speaking(language):
        for option in game.options:
            words = [called(game, option, choice) for choice in option.choices]
            assert all(words), option.name
            assert len({*words}) == len(words), option.name


FORMS = re.compile(r"\{\w+:([^{}|]*\|[^{}|]*)\}")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_number_of_two_forms_is_not_written_within_them(language: str) -> None:
    said = chain.from_iterable(sentences(part, language).items() for part in PARTS)
    assert [key for key, text in said if any("#" in it for it in FORMS.findall(text))] == []


@pytest.mark.parametrize(
    ("rotation", "en", "de"),
    [
        (0, "not turned", "nicht gedreht"),
        (1, "turned 1 sixth", "um 1 Sechstel gedreht"),
        (5, "turned 5 sixths", "um 5 Sechstel gedreht"),
    ],
)
def test_of_three_forms_of_a_number_the_first_is_that_of_none(
    rotation: int, en: str, de: str
) -> None:
    told = message("table.todo_in", tile="J", cell="C3", rotation=rotation)
    assert (say(told), say(told, "de")) == (f"Put J into C3, {en}.", f"Lege J auf C3, {de}.")


def test_a_wrong_sentence_comes_to_no_page_and_is_said_at_the_start(xx: Path) -> None:
    file, good = xx / "locale" / "xx.toml", '[page]\nboot = "Gleich"\n'
    for wrong in ("{count:Karte}", "{count:eine|zwei|drei|vier}", "{count:Karte|Karten", "{n:a|b}"):
        file.write_text(f'{good}proposed = "{wrong}"\n', "utf-8")
        look_in(xx / "locale")
        words = json.loads(page_words_json("xx"))
        assert words["page.boot"] == "Gleich"
        assert words["page.proposed"].endswith("and not from the game.")
        told = unread("xx")
        assert told is not None
        assert say(told).startswith(f"{file}: page.proposed: ")
    file.write_text(good, "utf-8")
    look_in(xx / "locale")
    assert unread("xx") is None


def test_a_table_that_is_no_toml_harms_nothing(xx: Path) -> None:
    (xx / "locale" / "yy.toml").write_text("[web\n", "utf-8")
    look_in(xx / "locale")
    assert say(message("web.too_fast"), "yy") == "That was too fast for me. Try again."


def test_a_table_that_begins_with_notepads_mark_is_read(xx: Path) -> None:
    """`check` called it good, and nothing of it was read."""
    file = xx / "locale" / "xx.toml"
    file.write_text('\ufeff[page]\nboot = "Gleich"\n', "utf-8")
    look_in(xx / "locale")
    assert say(message("page.boot"), "xx") == "Gleich"
    assert unread("xx") is None


def test_a_number_chooses_between_two_forms(xx: Path) -> None:
    said = [say(message("web.late", seats="a", seconds=n), "xx") for n in (0, 1, 2)]
    assert said == ["a: 0 Secunden", "a: 1 Secunde", "a: 2 Secunden"]


def test_a_value_that_is_a_word_of_ours_is_said_in_the_language_too(xx: Path) -> None:
    assert say(message("web.late", seats="Red", seconds=1), "xx") == "Roth: 1 Secunde"
    assert say(message("web.late", seats="the host", seconds=1), "xx") == "der Wirth: 1 Secunde"
    with speaking("xx"):
        assert (translated("the host"), translated("Anna")) == ("der Wirth", "Anna")


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("the board on /dev/ttyACM0 does not answer", "das Brett an /dev/ttyACM0 antwortet nicht"),
        (
            silence("/dev/ttyACM0", Session()),
            "das Brett an /dev/ttyACM0 antwortet nicht: sein USB-Kabel ziehen und fest wieder "
            "einstecken; bleibt es stumm, hexboard firmware install",
        ),
        (
            "the board on /dev/ttyACM0 speaks link protocol 1, this hexboard 2: "
            "update the board: hexboard firmware install",
            "das Brett an /dev/ttyACM0 spricht Protokoll 1, dieses hexboard 2: "
            "das Brett auffrischen: hexboard firmware install",
        ),
        (
            "the board on x is gone (no answer in time)",
            "das Brett an x ist weg (keine Antwort in der Zeit)",
        ),
        ("the board on x sings", "the board on x sings"),
    ],
)
def test_why_a_board_is_gone_is_said_in_the_language_though_it_came_as_text(
    reason: str, said: str
) -> None:
    """What devices report is recorded in English, with ports and numbers in it."""
    assert say(message("firmware.absent", why=reason), "de").rstrip(".") == said
    assert say(message("firmware.absent", why=reason)).rstrip(".") == reason


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        ("xx-AT,xx;q=0.9,en;q=0.8", "xx"),
        ("en-US,en;q=0.9,xx;q=0.8", "en"),
        ("en;q=0.3, XX;q=0.5", "xx"),
        ("xx, de;q=0.8, en;q=0.5", "de"),  # xx has a few sentences, and English in their place
        ("xx, en;q=0.8, de;q=0.5", "xx"),
        ("de, xx;q=0.8", "de"),
        ("xx;q=0", "?"),
        ("fr, *;q=0.1", "?"),
        ("xx;q=much", "?"),
        ("", "?"),
        (";;,,=", "?"),
    ],
)
def test_a_phone_hears_the_language_that_its_browser_wants_most(
    xx: Path, wanted: str, spoken: str
) -> None:
    headers = [(b"accept-language", wanted.encode())]
    assert spoken_by(HTTPConnection({"type": "http", "headers": headers}), "?") == spoken


@pytest.mark.parametrize(
    ("kept", "spoken"), [("xx", "xx"), ("fr", "en"), ("", "en"), ("../", "en")]
)
def test_a_language_that_was_chosen_on_a_page_comes_first(xx: Path, kept: str, spoken: str) -> None:
    headers = [(b"accept-language", b"en, xx;q=0.1"), (b"cookie", f"{KEPT}={kept}; a=b".encode())]
    assert spoken_by(HTTPConnection({"type": "http", "headers": headers}), "?") == spoken


def test_the_shells_names_of_languages_are_understood(xx: Path) -> None:
    assert chosen(["xx_AT.UTF-8"]) == "xx"
    assert chosen(["C.UTF-8"]) == "en"
    assert chosen(["POSIX"]) == "en"


def test_a_page_that_is_mostly_english_says_so_and_keeps_what_was_chosen(xx: Path) -> None:
    """A table of a few sentences made the whole page one of its language, and read aloud so."""
    assert '<html lang="en" data-spoken="xx"' in shell(FRAME, "app", "xx", 8765)
    assert '<html lang="de" data-spoken="de"' in shell(FRAME, "app", "de", 8765)
    assert '<html lang="en" data-spoken="en"' in shell(FRAME, "app", "en", 8765)
    assert '<html lang="en">' in plain_page("xx", "a", "b")
    words = "".join(
        f'{it} = "{it} auf"\n' for it in (k.removeprefix("page.") for k in page_words("en"))
    )
    (xx / "locale" / "xx.toml").write_text(f"[page]\n{words}", "utf-8")
    look_in(xx / "locale")
    assert '<html lang="xx" data-spoken="xx"' in shell(FRAME, "app", "xx", 8765)


def test_the_pages_words_cannot_end_their_script_element(xx: Path) -> None:
    (xx / "locale" / "xx.toml").write_text('[page]\nboot = "</script><b>"\n', "utf-8")
    look_in(xx / "locale")
    text = page_words_json("xx")
    assert "<" not in text
    assert json.loads(text)["page.boot"] == "</script><b>"


def test_each_page_takes_the_text_of_its_side_in_its_language() -> None:
    texts = {(-1, "en"): "a", (-1, "xx"): "b", (0, "en"): "c"}
    page = OpenPage("page 1", language="xx")
    page.take("state", texts)
    page.side = 0  # its own could not be made
    page.take("state", texts)
    assert page.latest == {"state": (-1, "b")}
    other = OpenPage("page 2", language="yy")
    other.take("state", texts)
    other.take("pixels", {(-1, ""): "p"})
    assert other.latest == {"pixels": (-1, "p")}


# ------------------------------------------------------------------------------- the terminal


@pytest.mark.parametrize(
    ("option", "settings", "shell", "told"),
    [
        (["--language", "xx"], "", "en_US", "xx"),
        ([], 'language = "xx"\n', "en_US", "xx"),
        ([], "", "xx_XX.UTF-8", "xx"),
        (["--language", "en"], 'language = "xx"\n', "xx_XX", "en"),
        ([], "language = [\n", "C", "en"),
    ],
)
def test_the_terminal_speaks_what_is_asked_for_set_or_the_shells(
    xx: Path, option: list[str], settings: str, shell: str, told: str
) -> None:
    (xx / "locale" / "xx.toml").write_text('[game]\nnone = "{name}: mir fremd"\n', "utf-8")
    (xx / "settings.toml").write_text(settings, "utf-8")
    line = ["--home", str(xx), *option, "help", "chess"]
    ran = CliRunner(env={"LC_ALL": shell}).invoke(main, line)
    assert ("mir fremd" in ran.output) == (told == "xx")
    assert ("There is no game" in ran.output) == (told == "en")


def test_a_language_that_is_not_there_is_refused_with_those_that_are(xx: Path) -> None:
    ran = invoke("--language", "tlh", "help", home=xx)
    assert ran.exit_code == 2
    assert "There is no language “tlh”" in ran.output
    assert "xx" in ran.output


def test_what_programs_read_stays_english(xx: Path) -> None:
    (xx / "locale" / "xx.toml").write_text('[recording]\nmissing = "{file}: weg"\n', "utf-8")
    line = ["--home", str(xx), "--language", "xx", "log", str(xx / "no.mcap"), "--json"]
    told = [invoke(*it).output for it in (line[:-1], line)]
    assert ["weg" in it for it in told] == [True, False]


@pytest.mark.parametrize("who", ["Anna", "the host"])
@pytest.mark.parametrize(
    ("key", "values", "begins", "ends"),
    [
        ("take_back", {"what": "a1-b2"}, "„a1-b2“ zurücknehmen? Das möchte ", "."),
        ("take_back_seen", {"what": "a1-b2"}, "„a1-b2“ zurücknehmen, obwohl ", " möchte {}."),
        ("set_pieces", {}, "Die Stellung neu setzen? Das möchte ", "."),
        ("ruled", {"why": "es lag so"}, "Das Brett ist berichtigt (", ": es lag so)."),
        ("ruled_plainly", {}, "Das Brett ist berichtigt (", ")."),
    ],
)
def test_german_says_who_did_it_and_not_to_whom_it_was_done(
    key: str, values: dict[str, str], begins: str, ends: str, who: str
) -> None:
    """„Es fragt Anna“ and „Das Brett hat Anna berichtigt“ say the opposite."""
    name = {"Anna": "Anna", "the host": "der Gastgeber"}[who]
    said = say(message(f"table.{key}", "", who=who, **values), "de")
    assert said.startswith(begins)
    assert said.endswith(ends.format(name) if "{}" in ends else f"{name}{ends}")


@pytest.mark.parametrize(
    "told",
    [
        message("file.missing", file="demo"),
        message("file.missing", file="rulings"),
        message("board.no_such", name="unknown", near="", known="demo"),
        message("board.no_such", name="x", near="demo", known="unknown"),
        message("tournament.left", name="White"),
        message("tournament.starts", board="demo", white="White", black="Black"),
        message("tournament.silent", file="demo", board="Green", table=1),
        message("hextraction.plays", seat="Anna", tile="Setup", slot="C3", rotation=0),
        message("hextraction.registered", tile="Red"),
        message("hextraction.say_part", part="count", state="change"),
        message("game.option", option="draws", value="wins", allowed="any"),
        message("firmware.absent", why="it has no colour called White"),
    ],
    ids=lambda it: it.key,
)
def test_what_somebody_typed_is_said_as_it_was_typed(told: Message) -> None:
    """Though a word of ours is the same: a file called demo, a person called White."""
    registry.find("hextraction")
    said = say(told, "de")
    typed = [it for name, it in told.values if name not in ("seat", "why", "allowed")]
    words = [it for it in typed if isinstance(it, str) and it] or ["White"]
    assert [it for it in words if it not in said] == []


@pytest.mark.parametrize(
    ("language", "yes", "no", "neither"),
    [
        ("en", ("y", "Y", "yes", " y "), ("n", "NO"), ("j", "ja", "", "yep", "q")),
        ("de", ("j", "ja", "Ja", "y", "yes"), ("n", "nein", "no"), ("", "jo", "q")),
    ],
)
def test_yes_and_no_are_typed_in_the_language_that_is_spoken_and_in_english(
    language: str, yes: tuple[str, ...], no: tuple[str, ...], neither: tuple[str, ...]
) -> None:
    with speaking(language):
        assert {agreed(it) for it in yes} == {True}
        assert {agreed(it) for it in no} == {False}
        assert {agreed(it) for it in neither} == {None}
        for key in ("keys_same", "yes_no_keys", "not_yes_no"):  # they name the letters
            said = say(message(f"calibration.{key}", said="q"))
            assert all(re.search(rf"\b{it}\b", said) for it in letters())


def test_a_name_that_is_typed_stays_as_it_is() -> None:
    said = say(message("kept.none", step="sensors"), "de")
    assert said == "noch nicht kalibriert: hexboard calibrate sensors"


def test_a_table_of_ones_own_is_checked_with_every_mistake_at_its_line(xx: Path) -> None:
    file = xx / "locale" / "xx.toml"
    file.write_text(
        '[web]\ntoo_fast = "{name} gemach"\nhots = "x"\nlate = "{seats} {seconds:a|b|c|d}"\n'
        'port = "{port {why}"\n[hexalma.light]\nlast = "der letzte"\n[words.value]\nRed = "Roth"\n',
        "utf-8",
    )
    ran = invoke("check", file, home=xx)
    assert ran.exit_code == 1
    told = [line.removeprefix(f"{file}:") for line in ran.stderr.splitlines()]
    assert [line.split(": ")[:2] for line in told] == [
        ["2", "web.too_fast"],
        ["3", "web.hots"],
        ["4", "web.late"],
        ["5", "web.port"],
    ]
    assert told[0].endswith("other names than the English sentence: name.")
    assert "Did you mean “web.host”?" in told[1]
    assert "a number has two forms, as in {count:card|cards}" in told[2]
    file.write_text('[web]\ntoo_fast = "Gemach!"\n', "utf-8")
    assert "a good language file" in invoke("check", file).stdout


GONE = "no board on {port}: is its USB cable in?"


@pytest.mark.parametrize(
    ("key", "ours", "told"),
    [
        (GONE, "aucun plateau sur {prot}", "prot."),
        (GONE, "aucun plateau sur {port", "expected '}'"),
        (GONE, "aucun plateau sur {port:un|deux}", "{port:un|deux}"),
        (GONE, "aucun plateau sur {port!x}", "{port!x}"),
        (GONE, "aucun plateau sur {port.x}", "{port.x}"),
        ("no board on {port: is its USB cable in?", "aucun plateau", "unmatched '{'"),
        ("no board on {0}: is its USB cable in?", "aucun plateau", "{0}"),
        ("no board on {port}: is {port} in?", "aucun plateau sur {port}", ""),
        ("{why}", "parce que {why}", ""),
    ],
)
def test_a_sentence_for_a_text_is_held_against_that_text(
    xx: Path, key: str, ours: str, told: str
) -> None:
    """One that cannot stand for it ended every command that said it."""
    file = xx / "locale" / "xx.toml"
    file.write_text(f'[words.value]\n"{key}" = "{ours}"\n', "utf-8")
    look_in(xx / "locale")
    why = "no board on /dev/ttyNONE: is its USB cable in?"
    assert say(message("firmware.absent", why=why), "xx") == why
    ran = invoke("check", file, home=xx)
    assert ran.exit_code == (1 if told else 0)
    assert (f"{file}:2: words.value.{key}: " in ran.stderr) == bool(told)
    assert told in ran.stderr
    assert (unread("xx") is None) == (not told)


def test_a_value_that_stands_twice_in_a_text_is_the_same_both_times(xx: Path) -> None:
    file = xx / "locale" / "xx.toml"
    file.write_text('[words.value]\n"is {a} as {a} is?" = "{a}?"\n', "utf-8")
    look_in(xx / "locale")
    said = [say(message("firmware.absent", why=f"is b as {it} is?"), "xx") for it in "bc"]
    assert said == ["b?", "is b as c is?"]


def test_a_choice_for_which_a_game_has_no_english_word_can_have_one(tmp_path: Path) -> None:
    """A choice stands as it is typed where English has no word for it (docs/write-a-game.md)."""
    option = 'options=(Option("size", "small", choices=("small", "large")),),'
    code = one_file("pick").replace("options import Options,", "options import Option, Options,")
    code = code.replace("package=__name__,", f"package=__name__,\n    {option}")
    keep(tmp_path, "pick", code)
    file = tmp_path / "locale" / "de.toml"
    file.parent.mkdir()
    file.write_text('[pick.choice]\nsize.small = "klein"\nsize.smal = "klein"\n', "utf-8")
    ran = invoke("check", file, home=tmp_path)
    assert [line.split(": ")[1] for line in ran.stderr.splitlines()] == ["pick.choice.size.smal"]


def test_a_table_that_cannot_be_read_is_said_at_the_start(xx: Path) -> None:
    file = xx / "locale" / "xx.toml"
    file.write_text("[web\n", "utf-8")
    ran = invoke("--language", "xx", "help", home=xx)
    assert ran.exit_code == 0
    assert ran.stderr.startswith(f"{file} is not read: ")
    assert "hexalma" in ran.stdout
