"""What click says, and what commands say of themselves, in another language than English."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import hexboard
from hexboard.commands.cli import main
from hexboard.commands.doctor.checked import Checked
from hexboard.commands.spoken import confirm, in_words, printable
from hexboard.words import sentences, speaking
from hexboard.words.names import isolated
from tests.cli import invoke

ENGLISH = re.compile(
    r"\b(the|and|with|Usage|Options|Commands|Error|Show|this|message|exit|default|Try|for help"
    r"|Invalid|valid|Missing|argument|such|option|requires|range|Did|you|mean|Aborted)\b"
)
"""What click says in English, and the words of which every English sentence has one."""
TYPED = re.compile(r"--[a-z-]+|`[^`]+`|'[^']+'|\[[a-z|0-9-]+\]|\b(?:sonst|run|OPTION\w*): \S+")
"""What is typed as it stands, whatever is spoken."""


def said(*arguments: str, language: str = "de") -> str:
    ran = invoke("--language", language, *arguments)
    assert "Traceback" not in ran.output
    return ran.output


def commands() -> Iterator[tuple[list[str], click.Command]]:
    """Every command with the words that call it."""
    waiting: list[tuple[list[str], click.Command]] = [([], main)]
    while waiting:
        words, command = waiting.pop()
        yield words, command
        if isinstance(command, click.Group):
            ctx = click.Context(command)
            for name in command.list_commands(ctx):
                found = command.get_command(ctx, name)
                assert found is not None
                waiting.append(([*words, name], found))


def paragraphs(command: click.Command) -> Iterator[str]:
    options = [it.help for it in command.params if isinstance(it, click.Option)]
    for text in (command.help, command.epilog, *options):
        yield from (" ".join(it.split()) for it in (text or "").split("\n\n") if it.strip())


def test_every_paragraph_of_help_has_its_german() -> None:
    every = {text for _, command in commands() for text in paragraphs(command)} - {"x.svg"}
    with speaking("de"):
        assert {text for text in every if in_words(text) == text} == set()


def test_an_option_goes_with_one_that_its_command_has() -> None:
    for name, command in commands():
        options = {word for it in command.params for word in it.opts}
        for text in paragraphs(command):
            assert set(re.findall(r"\bWith (--[a-z-]+)", text)) <= options, name


def test_no_command_takes_for_a_number_what_is_none() -> None:
    """Not a number: it is beyond neither end of a range."""
    numbers = 0
    for words, command in commands():
        for it in command.params:
            if isinstance(it.type, type(click.FLOAT)):
                numbers += 1
                told = said(*words, it.opts[0], "nan")
                assert "'nan' ist keine Zahl, die hier stehen kann." in told, words
    assert numbers >= 3


def test_every_usage_error_of_ours_has_its_german() -> None:
    german, lacking = sentences("cli", "de"), []
    for path in (Path(hexboard.__file__).parent / "commands").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            name = getattr(called, "attr", getattr(called, "id", ""))
            if name in {"UsageError", "BadParameter", "ClickException", "wrong", "in_words"}:
                assert isinstance(node, ast.Call)
                given = [it.value for it in node.args if isinstance(it, ast.Constant)]
                texts = [it for it in given if isinstance(it, str)]
                lacking += [it for it in texts if f"cli.value.{it}" not in german]
                assert not any(isinstance(it, ast.JoinedStr) for it in node.args), path
    assert lacking == []


@pytest.mark.parametrize("words", [[], ["run"], ["calibrate", "sensors"]])
def test_no_english_of_clicks_stands_in_german_help(words: list[str]) -> None:
    told = TYPED.sub("", said(*words, "--help"))
    assert "Aufruf: " in told
    assert ENGLISH.findall(told) == []


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["run", "--nope"], "Es gibt keine Option '--nope'."),
        (["--nope"], "Es gibt keine Option '--nope'."),
        (["perft", "hexalma", "two"], "'TIEFE': 'two' ist keine Zahl, die hier stehen kann."),
        (["run", "--port", "99999"], "'--port': 99999 liegt nicht in 0<=x<=65535."),
        (["run", "--game"], "Die Option '--game' braucht einen Wert."),
        (["replay"], "Es fehlt das Argument 'DATEI'."),
        (["run", "--watch"], "--watch, --empty und --fast gehen nur mit --simulate."),
        (["calibrate"], "Befehle:"),
    ],
)
def test_what_was_typed_wrong_is_told_in_german(words: list[str], wrong: str) -> None:
    told = said(*words)
    assert wrong in told
    assert ENGLISH.findall(TYPED.sub("", told).replace("hexboard run", "")) == []


def test_the_shells_language_helps_too_and_english_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    assert invoke("--help").output.startswith("Aufruf: ")
    assert "Usage: " in said("run", "--help", language="en")
    told = said("perft", "hexalma", "two", language="en")
    assert "'two' is not a number that fits here" in told


def test_a_table_that_asks_for_other_values_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "locale").mkdir()
    table = '[cli.value]\n"Error: {message}" = "Weh: {nobody}"\n"Usage:" = "So: {"\n'
    (tmp_path / "locale" / "xx.toml").write_text(table, "utf-8")
    told = invoke("--language", "xx", "run", "--nope", home=tmp_path)
    first, second, *_ = told.output.splitlines()
    assert first.endswith(
        "`hexboard check " + str(tmp_path / "locale" / "xx.toml") + "` shows every mistake."
    )
    assert second.startswith("Usage: ")
    assert "Error: No such option" in told.output


def test_a_name_is_kept_apart_in_a_terminal_where_its_letters_turn_others() -> None:
    told = f"{isolated('Ann')} moves, {isolated('עדה')} waits, {isolated('Ada 2')} too."
    assert printable(told) == f"Ann moves, {isolated('עדה')} waits, Ada 2 too."
    assert printable("\u2068Ann") == "\u2068Ann"  # nobody's name


def test_what_play_says_of_ann_is_found_by_who_looks_for_it(tmp_path: Path) -> None:
    words = ("--home", str(tmp_path), "play", "hexalma", "--name", "Ann", "--name", "Ben")
    told = CliRunner().invoke(main, words, input="quit\n")
    assert told.exit_code == 0
    assert "Ann: " in told.stdout
    assert "\u2068" not in told.stdout


def test_a_command_that_says_nothing_reads_no_table(tmp_path: Path) -> None:
    asked = ["--home", str(tmp_path), "--version"]
    code = (
        "import sys; from hexboard.commands.cli import main\n"
        f"main({asked!r}, standalone_mode=False); print('tomllib' in sys.modules)"
    )
    environment = {k: v for k, v in os.environ.items() if k not in ("LANG", "LC_ALL")}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert told.stdout.split()[-1] == b"False", told.stderr


def test_in_english_only_what_has_values_is_said_otherwise() -> None:
    table = sentences("cli")
    ours = [key.removeprefix("cli.value.") for key in table if key.startswith("cli.value.")]
    assert ours
    assert [it for it in ours if "{" not in it] == []  # in_words would not look for it


@pytest.mark.parametrize(
    ("language", "typed", "asked", "done"),
    [
        ("de", "\n", "Schreiben? [J/n]", True),
        ("de", "ja\n", "Schreiben? [J/n]", True),
        ("de", "vielleicht\nj\n", "Das passt nicht", True),
        ("de", "nein\n", "Schreiben? [J/n]", False),
        ("en", "y\n", "Schreiben? [Y/n]", True),
        ("en", "n\n", "Schreiben? [Y/n]", False),
    ],
)
def test_a_question_is_answered_in_the_language_that_is_spoken(
    language: str, typed: str, asked: str, done: bool
) -> None:
    @click.command()
    def ask() -> None:
        confirm("Schreiben?")
        click.echo("geschrieben")

    with speaking(language):
        ran = CliRunner().invoke(ask, input=typed)
    assert asked in ran.output
    assert ("geschrieben" in ran.output) == done
    assert (ran.exit_code == 0) == done


def test_the_doctor_says_its_signs_and_checks_in_german() -> None:
    told = Checked("recording", "mend", "a\nb", "c").line()
    assert click.unstyle(told) == f"MEND  recording    a\n{' ' * 19}b\n{' ' * 19}-> c"
    with speaking("de"):
        told = Checked("recording", "mend", "a\nb", "c").line()
        assert click.unstyle(told) == f"BEHEBEN  Aufzeichnung a\n{' ' * 22}b\n{' ' * 22}-> c"
        assert click.unstyle(Checked("pico", "good", "a").line()) == "gut      Pico         a"


def test_every_check_of_the_doctor_has_a_german_name() -> None:
    folder = Path(hexboard.__file__).parent / "commands" / "doctor"
    found = {
        name
        for file in folder.glob("*.py")
        for name in re.findall(
            r'\b(?:good|look|mend|refused|guarded)\("(\w+)"|^        \("(\w+)", (?:home|folder), ',
            file.read_text("utf-8"),
            re.MULTILINE,
        )
        for name in name
        if name
    }
    assert len(found) > 25
    german = sentences("check", "de")
    assert {it for it in found if f"check.value.{it}" not in german} == set()
    assert [it for it in german.items() if it[0].startswith("check.") and len(it[1]) > 12] == []


def test_what_kind_of_file_a_good_one_is_is_said_in_german(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('language = "de"\n', "utf-8")
    for language, kind in (("en", "a good settings file"), ("de", "(Einstellungen)")):
        line = ["--home", str(tmp_path), "--language", language, "check"]
        ran = invoke(*line, tmp_path / "settings.toml")
        assert kind in ran.output
    line = ["--home", str(tmp_path), "--language", "de", "check", "--json"]
    ran = invoke(*line, tmp_path / "settings.toml")
    assert '"kind": "settings"' in ran.output
