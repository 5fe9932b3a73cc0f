"""Records: a game of any kind as text, written from a match and read back."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hexboard
from hexboard.board import plain
from hexboard.game import record, registry
from hexboard.game.match import Played
from hexboard.game.record import GameRecord
from hexboard.words import say
from hexboard.words.errors import BadFile, BadText
from tests.cli import invoke
from tests.kept import KEPT
from tests.strangers import keep, one_file

SANTA = """\
Game: bad-santa-hex
Title: The first of three
Option: size=5
Option: swap=yes
Black: Ann
White: Ben Oh

1. b2, d3, die 1
2. c4, a1, e5, die 3
3. resign black
Result: Black 0, White 1
"""
"""By the rules: the die's 1 gives the first counter away, b2, its 3 the second, a1; who resigns
loses."""
NAMES = [*registry.names(), "span"]


@pytest.fixture(autouse=True)
def stranger(tmp_path: Path) -> Iterator[None]:
    """Span, a game of somebody else, is there as well."""
    keep(tmp_path, "span", one_file("span"))
    registry.look_in(tmp_path / "games")
    yield
    registry.look_in(tmp_path / "nothing")


def run(*words: str | Path, input: str = "") -> tuple[int, str]:
    result = invoke(*words, input=input)
    return result.exit_code, result.output


def played(name: str, seed: int) -> GameRecord:
    """A random game, with acts, what was taken back and what a host has set."""
    random, game = Random(seed), registry.find(name)
    dealt = {it.name: it.dealt for it in game.options if it.dealt is not None and seed % 2}
    found = record.again(name, plain(game.board(dealt)), dealt, (), ("Ann", "", "Cem # 3"))
    match = found.match
    for _ in range(random.choice((3, 40, 150))):
        acts = [act for act in game.table_acts(match.position) if random.random() < 0.02]
        if moves := acts or list(match.position.legal):
            match.play(random.choice(moves))
        if random.random() < 0.05 and (to := match.last_choice()) is not None:
            match.back(to)
        if random.random() < 0.02:
            match.rule(match.line[0], "host", "once more")
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_a_game_of_any_kind_is_read_back(name: str, seed: int) -> None:
    found = played(name, seed)
    text = record.write(found)
    again = record.read(text, "game.txt")
    position = found.match.position
    assert str(again.match.position) == str(found.game.public(position))
    assert again.match.position.scores == position.scores
    assert record.write(again) == text
    if found.game.hides(position) is None:  # each position on the way, the last ruling's on
        line = [str(it) for it in again.match.line]
        assert line == [str(it) for it in found.match.line][-len(line) :]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_that_is_cut_off_anywhere_is_refused(name: str) -> None:
    found = played(name, 1)
    text = record.write(found).rstrip("\n")
    random = Random(2)
    for cut in (len(text) - 1, *(random.randrange(len(text)) for _ in range(12))):
        with pytest.raises(BadFile):
            record.read(text[:cut], "game.txt")


def test_what_stands_in_a_record_is_what_was_played() -> None:
    found = record.read(SANTA, "game.txt")
    assert found.options == {"size": 5, "swap": True}
    assert (found.names, found.headers) == (("Ann", "Ben Oh"), {"Title": "The first of three"})
    assert str(found.match.line[3]) == "...../.W.../...B./...../..... W 2"
    assert str(found.match.line[7]) == "B..../.W.../...B./..W../....W B 3"
    assert found.match.position.scores == (0, 1)
    assert record.write(found) == SANTA


def test_a_person_may_write_it_more_freely() -> None:
    text = """\
# what Ann remembers
Game:  bad-santa-hex
Option: size=5

b2,
d3, die 1   # Ann's first turn
1. c4,  a1, e5, die 3,
# and then
2. resign black
Result: 0-1
"""
    found = record.read(text, "game.txt")
    wanted = record.read(SANTA.replace("Option: swap=yes\n", ""), "game.txt")
    assert found.match.position == wanted.match.position


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Game: bad-santa-hex", "b2, d3", "game.txt: this is no record of a game"),
        ("bad-santa-hex", "bad-santa-hax", "game.txt:1: There is no game “bad-santa-hax”."),
        ("Title", "Tilte", "game.txt:2: “Tilte” is no header of a record of this game. Did you"),
        ("Option: swap", "Option: swop", "game.txt:4: bad-santa-hex has no option “swop”."),
        ("swap=yes", "swap=7", "game.txt:4: The option swap cannot be “7”"),
        ("swap=yes", "size=6", "game.txt:4: “size” stands here twice."),
        ("White: Ben Oh", "Black: Ben", "game.txt:6: “Black” stands here twice."),
        ("Black: Ann", "Start: ?", "game.txt:5: "),
        ("Black: Ann", "Board: nowhere", "game.txt:5: There is no board “nowhere”."),
        ("c4, a1", "c9, a1", "game.txt:9: “c9” cannot be played: "),
        ("c4, a1", "c4, d3", "game.txt:9: “d3” cannot be played: "),
        ("c4, a1", "c4 a1", "Between the moves of a line stands a comma."),
        ("2. c4, a1, e5, die 3\n", "", "game.txt:9: this line has the number 3, and 2 is due."),
        ("Result: Black 0, White 1\n", "", "game.txt:11: the last line is missing."),
        ("0, White 1", "1, White 0", "game.txt:11: the result is “Black 1, White 0” here, but"),
        ("White 1\n", "White 1\n4. b5", "game.txt:12: the result is the last line"),
        ("1. b2", "Set: BBB\n1. b2", "game.txt:8: "),
    ],
)
def test_a_mistake_is_told_with_its_line(old: str, new: str, said: str) -> None:
    assert SANTA.count(old) == 1 or old == "swap=yes"
    with pytest.raises(BadFile) as wrong:
        record.read(SANTA.replace(old, new), "game.txt")
    assert said in str(wrong.value)


def test_all_mistakes_of_the_headers_are_told_at_once() -> None:
    text = SANTA.replace("Title", "Tilte").replace("White: ", "Whit: ").replace("c4", "c9")
    with pytest.raises(BadFile) as wrong:
        record.read(text, "game.txt")
    assert [dict(it.values)["line"] for it in wrong.value.mistakes] == [2, 6, 9]


def test_hidden_cards_are_told_when_the_game_is_over() -> None:
    options = {"hands": "dealt"}
    found = record.again("hexel", plain("table"), options)
    match, random = found.match, Random(4)
    while "draw ?" not in record.write(found):  # three cards are turned up, the next are dealt
        match.play(random.choice(list(match.position.legal)))
    dealt = match.entries[-1]
    assert isinstance(dealt, Played)
    assert dealt.action not in record.write(found)
    while moves := list(match.position.legal):
        match.play(random.choice(moves))
    assert dealt.action in record.write(found)
    assert "?" not in record.write(found)


def test_a_name_that_would_be_torn_is_refused() -> None:
    for name in ("a, b", "a,", "12. a", "Result: *", "# a", "a # b", "a\nb", " a", ""):
        assert record.unfit(name), name
    for name in ("e5-e7", "mark 1,2,6", "play J C3 2", "place 0,-1 RRBBBR", "34:c3"):
        assert not record.unfit(name), name


def test_a_move_with_such_a_name_is_written_into_no_record() -> None:
    found = record.again("hexalma", plain("hexhex-5"), {}, [Played("b3-c3")])
    assert "1. b3-c3\n" in record.write(found)
    found.match.entries[0] = Played("b3-c3, d3-e3")
    with pytest.raises(BadText, match="No record can hold a move that is called “b3-c3, d3-e3”"):
        record.write(found)


def test_a_file_that_is_an_option_travels_in_the_record(tmp_path: Path) -> None:
    deck = tmp_path / "mine.toml"
    text = 'schema = "hexboard/deck-1"\nname = "Mine # \\"1\\""\nsize = 46\n[cards]\nRRRRRR = 46\n'
    deck.write_text(text, "utf-8")
    match = hexboard.Match("hexel", deck=str(deck))
    deck.unlink()
    kept = tmp_path / "game.txt"
    kept.write_text(match.record, "utf-8")
    assert hexboard.Match.load(kept).position == match.position


def test_the_record_of_the_documentation_is_one() -> None:
    page = (Path(__file__).parents[2] / "docs/records.md").read_text("utf-8")
    found = record.read(page.split("```")[1].removeprefix("\n"), "game.txt")
    assert str(found.match.line[7]) == "B..../.W.../...B./..W../....W B 3"


# ------------------------------------------------------------------------------ the commands


@pytest.mark.parametrize("folder", sorted(KEPT.glob("*/*")), ids=lambda it: it.name)
def test_journal_and_recording_of_a_match_give_the_same_record(folder: Path) -> None:
    journal, recording = folder / f"{folder.name}.db", *folder.glob("recordings/*.mcap")
    before = journal.read_bytes()
    code, text = run("export", "--record", journal)
    assert (code, text) == run("export", "--record", recording)
    assert code == 0
    assert record.read(text, "game.txt").game.name == folder.name
    assert journal.read_bytes() == before


def test_a_record_is_checked_shown_exported_and_played_on(tmp_path: Path) -> None:
    text, kept = tmp_path / "game.txt", tmp_path / "game.json"
    text.write_text(SANTA, "utf-8")
    assert run("check", text) == (0, f"{text}: a good record file\n")
    assert "resigns.  [BSH-R]" in run("log", text)[1]
    assert run("replay", text) == run("log", text)
    assert run("export", text)[1].startswith("(;FF[4]GM[11]")
    code, said = run("read", text, "-o", kept)
    assert (code, "8 moves are in" in said) == (0, True)
    assert run("export", "--record", kept) == (0, SANTA.replace("Title: The first of three\n", ""))
    assert "The game is over" in run("play", "bad-santa-hex", "--record", kept)[1]


def test_what_cannot_be_played_on_is_said(tmp_path: Path) -> None:
    text, kept = tmp_path / "game.txt", tmp_path / "game.json"
    text.write_text(run("export", "--record", KEPT / "0.1.0/hexel/hexel.db")[1], "utf-8")
    assert run("log", text)[0] == 0
    code, said = run("read", text, "-o", kept)
    assert (code, "without the hidden cards" in said, kept.exists()) == (1, True, False)
    text.write_text(SANTA.replace("c4", "c9"), "utf-8")
    for command in ("check", "log", "export"):
        code, said = run(command, text)
        assert (code, said.startswith(f"{text}:9: “c9” cannot be played")) == (1, True)
    assert "goes on with" not in run("play", "bad-santa-hex", "--record", text)[1]


def test_a_match_of_the_library_is_a_record_and_back(tmp_path: Path) -> None:
    match = hexboard.Match("bad-santa-hex", size=5, swap=True)
    match.play("b2", "d3", "die 1", "c4")
    match.undo()
    match.play("c4", "a1", "e5", "die 3", "resign black")
    bare = "\n".join(
        line for line in SANTA.split("\n") if line[:5] not in ("Title", "Black", "White")
    )
    assert match.record == bare
    text = tmp_path / "game.txt"
    text.write_text(SANTA, "utf-8")
    again = hexboard.Match.load(text)
    assert (again.moves, again.position) == (match.moves, match.position)
    text.write_text("{", "utf-8")
    with pytest.raises(BadText):
        hexboard.Match.load(text)


def test_a_stranger_hears_of_a_move_that_no_record_can_hold() -> None:
    game: Any = registry.find("span")
    assert not any(record.unfit(game.start(plain("hexhex-4"), {}).name(move)) for move in range(37))


def test_a_journal_whose_cards_are_hidden_is_not_read_into_the_open(tmp_path: Path) -> None:
    journal, kept = KEPT / "0.1.0/hexel/hexel.db", tmp_path / "game.json"
    code, said = run("read", journal, "-o", kept)
    assert (code, "is still hidden from somebody" in said, kept.exists()) == (1, True, False)


def test_of_a_journal_it_reads_that_file_and_its_log_whatever_else_is_called_so(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "match[1].db"
    journal.write_bytes((KEPT / "0.1.0/hexalma/hexalma.db").read_bytes())
    (tmp_path / "match[1].db-old").mkdir()
    code, said = run("export", "--record", journal)
    assert (code, said.splitlines()[0]) == (0, "Game: hexalma")


def test_a_number_of_thousands_of_figures_is_one_mistake_of_a_record() -> None:
    many = SANTA.replace("size=5", f"size={'9' * 5000}")
    with pytest.raises(BadFile) as caught:
        record.read(many, "a", plain)
    assert len(caught.value.mistakes) == 1


def test_what_is_wrong_with_a_file_that_a_record_names_is_told(tmp_path: Path) -> None:
    text = "Game: knee-deep\nOption: map=/etc\n\nResult: *\n"
    with pytest.raises(BadFile) as caught:
        record.read(text, "a", plain)
    (wrong,) = caught.value.mistakes
    assert "a:2" in say(wrong)
    assert "1 mistake" not in say(wrong)
