"""`hexboard check settings.toml` and `hexboard doctor`: what `run` refuses is told before."""

import json
from pathlib import Path

import pytest

from tests.cli import invoke

UNFIT = {
    'clock = "abc"': "1: clock: “abc” is no clock: ",
    'clock = "601"': "1: clock: “601” is no clock: ",
    '\ngame = "hexalmo"': "2: game: There is no game “hexalmo”. Did you mean “hexalma”? ",
    'board = "nowhere"': "1: board: There is no board “nowhere”. ",
    "[options]\nseat = 3": "2: options.seat: hextraction has no option “seat”. Did you mean ",
    "[options]\nseats = 99": "2: options.seats: The option seats cannot be “99”; ",
    'language = "klingon"': "1: language: There is no language “klingon”. ",
    'game = "hexalma"': "1: game: HexAlma needs the board hexhex-5; ",
    '[web]\ncertificate = "/no.pem"': "2: web.certificate: /no.pem and its key cannot be used ",
    '[web]\ncertificate = "\\u0000"': "2: web.certificate: ",
    '[web]\nkey = "/no.pem"': "2: web.key: a key needs its certificate; ",
    '[hub]\nurl = "nats://hall"\nkey = "/no.nk"': "3: hub.key: The file that [hub] key names ",
    '[hub]\nurl = "nats://hall"\nca = "/no.pem"': "3: hub.ca: The file that [hub] ca names ",
}
"""What stands in a settings file that `run` refuses, and how its mistake begins."""


@pytest.mark.parametrize(("text", "mistake"), UNFIT.items())
def test_what_run_refuses_is_a_mistake_with_its_line(
    tmp_path: Path, text: str, mistake: str
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, "utf-8")
    done = invoke("check", path, "--json", home=tmp_path)
    assert done.exit_code == 1
    (told,) = json.loads(done.stdout)["mistakes"]
    assert told.startswith(f"{path}:{mistake}")


def test_every_mistake_is_shown_at_once(tmp_path: Path) -> None:
    """Those of form, of range and of meaning."""
    path = tmp_path / "settings.toml"
    path.write_text('bord = 1\nclock = "abc"\nboard = "nowhere"\n[options]\nseats = 2\n', "utf-8")
    told = json.loads(invoke("check", path, "--json", home=tmp_path).stdout)["mistakes"]
    assert [it.removeprefix(f"{path}:").split(": ")[:2] for it in told] == [
        ["1", "bord"],
        ["2", "clock"],
        ["3", "board"],
    ]


def test_options_of_a_game_that_cannot_be_read_are_not_judged_as_anothers(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('game = 3\n[options]\nrepetition = "off"\n', "utf-8")
    (told,) = json.loads(invoke("check", path, "--json", home=tmp_path).stdout)["mistakes"]
    assert told.startswith(f"{path}:1: game: ")


@pytest.mark.parametrize(
    "text",
    [
        'board = "rhombus-7"\n',  # for no game: who starts it says which
        'language = "en_GB"\nclock = "10+5"\n[options]\nseats = 3\n',
        'board = "hexhex-5"\ngame = "hexalma"\n',
    ],
)
def test_what_run_takes_is_good(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, "utf-8")
    done = invoke("check", path, home=tmp_path)
    assert done.output == f"{path}: a good settings file\n"


def test_a_board_of_ones_own_is_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "mine.toml").write_text("pitch_mm = ", "utf-8")
    (tmp_path / "settings.toml").write_text('board = "mine"', "utf-8")
    done = invoke("check", tmp_path / "settings.toml", home=tmp_path)
    assert done.exit_code == 1
    assert f"settings.toml:1: board: {tmp_path / 'boards' / 'mine.toml'}: not valid" in done.stderr


@pytest.mark.long
def test_the_doctor_says_it_too(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('clock = "abc"', "utf-8")
    done = invoke("doctor", "--simulate", "--state", tmp_path / "state", "--json", home=tmp_path)
    (told,) = (it for it in json.loads(done.stdout)["checks"] if it["check"] == "files")
    assert told["state"] == "mend"
    assert "settings.toml:1: clock: “abc” is no clock" in told["said"]


def test_a_language_that_is_not_there_is_said_by_every_command(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('language = "klingon"', "utf-8")
    assert "There is no language “klingon”. Known: en, de." in invoke("show", home=tmp_path).stderr
    asked = invoke("--language", "de", "show", home=tmp_path)
    assert "klingon" not in asked.stderr


def test_settings_that_nest_beyond_all_measure_are_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("a = " + "[" * 3000, "utf-8")
    done = invoke("check", path, home=tmp_path)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"{path}: not valid TOML: ")
