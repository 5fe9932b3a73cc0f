"""`hexboard archive` and `ask`, run as people do; what is in the files is read by DuckDB alone."""

import csv
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from threading import Thread
from typing import Any

import duckdb
import pytest
from click.testing import Result
from mcap.reader import make_reader
from msgspec.structs import replace

from hexboard import __version__
from hexboard.board import Board, find, load
from hexboard.commands.archive.asking import OURS
from hexboard.commands.archive.replaying import played_at_boards
from hexboard.demo.recorded import recorded
from hexboard.facts import (
    BARE,
    Body,
    Decide,
    Declare,
    Reading,
    Report,
    Resume,
    Ruling,
    Sample,
    Sequencer,
    Start,
)
from hexboard.game import registry
from hexboard.game.match import Played, encode_entry
from hexboard.games.hextraction.simulator.evening import evening
from hexboard.record.recording import Recorder, read
from hexboard.record.replay import Replay
from hexboard.record.rows import TABLES, columns
from hexboard.record.schemas import schemas
from hexboard.record.transcript import Transcript
from hexboard.words import Value
from hexboard.words.errors import BadText
from tests import strangers
from tests.cli import invoke
from tests.kept import KEPT
from tests.running import HEXBOARD, alive, eventually, hexboard
from tests.shell.test_replay_cli import edited

S = 1_000_000_000
MOVES = ("b6-c7", "i4:i5")


def start(match: str, board: Board, game: str = "hexalma", **options: Value) -> Start:
    rules = registry.find(game).rules()
    return Start(match, board.name, board.hash, game, rules, options, __version__)


def played(
    folder: Path, match: str, bodies: Iterable[Body], on: str = "hexhex-5", title: str = ""
) -> Path:
    """The recording of a match: a fact each second."""
    board = load(find(on))
    board = replace(board, title=title) if title else board
    first, *rest = bodies
    assert isinstance(first, Start | Resume)
    transcript, sequencer = Transcript(board, first), Sequencer()
    with recorded(board, folder, match) as (path, keep):
        for second, body in enumerate([first, *rest]):
            fact = sequencer.number(Report("page", second * S, body), second * S)
            keep(fact, transcript.step(fact)[1])
    return path


def match(folder: Path, name: str, *actions: str) -> Path:
    board = load(find("hexhex-5"))
    return played(folder, name, [start(name, board), *(Declare(-1, it) for it in actions)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings: an evening of balls, and three matches of HexAlma that end as by hand."""
    here = tmp_path_factory.mktemp("recordings")
    evening(load(find("hextraction-22")), here / "balls", 5, 8, 1500, lambda turn: None)
    match(here / "a", "first-wins", *MOVES, "resign white")
    match(here / "b", "second-wins", *MOVES, "resign black")
    match(here / "c", "nobody-wins", *MOVES, "draw black", "draw white")
    return here


@pytest.fixture(scope="module")
def archive(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those, in an archive whose name needs care in DuckDB and shells."""
    into = tmp_path_factory.mktemp("archive") / "it's [all] * of it"
    done = hexboard("archive", folder, "-o", into, "--workers", 1)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("4 recordings replayed (")
    return into


def foreign(archive: Path, sql: str) -> list[tuple[Any, ...]]:
    """What DuckDB itself reads; TABLE's files stand for its name in braces."""

    def read(table: str) -> str:
        files = sorted(str(path).replace("'", "''") for path in archive.glob(f"*/{table}.parquet"))
        escaped = ", ".join(f"'{path.replace('[', '[[]').replace('*', '[*]')}'" for path in files)
        return f"read_parquet([{escaped}])"

    tables = ("recordings", "facts", "rulings", "rolls", "questions", "sensors")
    with duckdb.connect() as connection:
        found = connection.execute(sql.format(**{it: read(it) for it in tables})).fetchall()
    return [tuple(row) for row in found]


def ask(archive: Path, *words: object) -> Result:
    return invoke("ask", "--archive", archive, *words)


def answer(archive: Path, question: str) -> list[list[Any]]:
    rows: list[list[Any]] = json.loads(ask(archive, question, "--json").stdout)["rows"]
    return rows


def recordings(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.mcap"))


# ----------------------------------------------------------------------------------- what is in it


@pytest.mark.long
def test_the_facts_are_those_that_another_reader_counts(folder: Path, archive: Path) -> None:
    counted: Counter[tuple[str, str, str | None]] = Counter()
    for path in recordings(folder):
        with path.open("rb") as file:
            for _, _, record in make_reader(file).iter_messages(topics=["fact"]):
                body = json.loads(record.data)["body"]
                counted[path.name, body["type"], body.get("sensor")] += 1
    found = foreign(
        archive,
        """SELECT file, kind, sensor, count(*) FROM {facts} JOIN {recordings} USING (recording)
        GROUP BY ALL""",
    )
    assert {(file, kind, sensor): n for file, kind, sensor, n in found} == counted
    assert counted.total() > 100
    assert foreign(archive, "SELECT sum(facts) FROM {recordings}") == [(counted.total(),)]
    edges = sum(n for (_, kind, _), n in counted.items() if kind == "edge")
    assert foreign(archive, "SELECT sum(edges) FROM {sensors}") == [(edges,)]


def test_outcomes_are_those_that_were_played(archive: Path) -> None:
    """Black (seat 0) moves first, B1; who resigns has lost, B9; two draws agree to one, B9."""
    sql = """SELECT match, first, over, scores, winner, resumed, differs FROM {recordings}
        WHERE game = 'hexalma' ORDER BY match"""
    assert foreign(archive, sql) == [
        ("first-wins", 0, True, [1, 0], 0, False, None),
        ("nobody-wins", 0, True, [0, 0], None, False, None),
        ("second-wins", 0, True, [0, 1], 1, False, None),
    ]
    sql = """SELECT n, at_s, entry, seat, action FROM {rulings} JOIN {recordings} USING (recording)
        WHERE match = 'first-wins' ORDER BY ruling"""
    rulings = dict.fromkeys(foreign(archive, sql))  # an entry may tell several events
    assert [*rulings] == [
        (2, 1.0, 1, 0, "b6-c7"),
        (3, 2.0, 2, 1, "i4:i5"),
        (4, 3.0, 3, 1, "resign white"),
    ]


def test_a_computer_that_never_ran_a_board_is_told_what_to_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for _ in "before", "after a doctor made the folder":
        with pytest.raises(BadText, match="No board has played on this computer"):
            played_at_boards()
        (tmp_path / "hexboard").mkdir(exist_ok=True)


@pytest.mark.long
def test_what_was_played_on_a_simulated_board_counts_only_where_it_is_named(
    tmp_path: Path,
) -> None:
    kept, into = tmp_path / "hexboard", tmp_path / "archive"
    env = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
    match(kept / "hexhex-5-simulated", "simulated", *MOVES)
    alone = hexboard("archive", "-o", into, env=env)
    assert (alone.returncode, "name their folders" in alone.stderr) == (1, True)
    match(kept / "hexhex-5", "real", *MOVES)
    for named, found in (((), ["real"]), ((kept,), ["real", "simulated"])):
        done = hexboard("archive", *named, "-o", into, "--workers", 1, env=env)
        assert done.returncode == 0, done.stderr
        assert foreign(into, "SELECT list_sort(list(match)) FROM {recordings}") == [(found,)]


@pytest.mark.long
@pytest.mark.parametrize("alone", ["a", "z"])
def test_of_two_copies_the_one_with_its_secret_segment_is_taken(tmp_path: Path, alone: str) -> None:
    kept = KEPT / "0.1.0" / "hexel" / "recordings"
    shutil.copytree(kept, tmp_path / "evenings" / "m")
    (path,) = kept.glob("*.mcap")
    (tmp_path / "evenings" / alone).mkdir()
    shutil.copy(path, tmp_path / "evenings" / alone)
    done = hexboard("archive", tmp_path / "evenings", "-o", tmp_path / "archive", "--json")
    told = json.loads(done.stdout)
    assert (told["replayed"], told["left_out"]) == (1, 0), told
    assert done.returncode == 0


def swapped(folder: Path) -> Path:
    """A match of Bad Santa Hex in which Ann began with one of each, as C9 has it, and Ben took her
    seat: he has won now, for White resigns."""
    board = load(find("rhombus-11"))
    begun = start("swapped", board, "bad-santa-hex", swap=True)
    actions = ("a1", "b2", "die 1", "swap", "resign white")
    bodies: list[Body] = [
        replace(begun, names=("Ann", "Ben")),
        *(Declare(-1, it) for it in actions),
    ]
    return played(folder, "swapped", bodies, "rhombus-11")


@pytest.mark.long
def test_players_are_found_by_name_as_they_sit_in_the_end(tmp_path: Path) -> None:
    swapped(tmp_path / "games")
    assert hexboard("archive", tmp_path / "games", "-o", tmp_path / "archive").returncode == 0
    sql = "SELECT players, list_contains(players, 'Ann') FROM {recordings}"
    assert foreign(tmp_path / "archive", sql) == [(["Ben", "Ann"], True)]


def test_how_often_the_first_player_wins_is_told_with_its_bounds(archive: Path) -> None:
    """One of three, and Wilson's bounds for that as tables have them: 0.061 to 0.792."""
    (row,) = answer(archive, "first-player")
    assert row == ["hexalma", row[1], 3, 1, 1, 0.333, 0.061, 0.792]


@pytest.mark.long
def test_who_began_is_counted_where_they_sit_in_the_end(tmp_path: Path) -> None:
    """Ann began and Ben has won from her seat: she is 1 then, he 0. In the match of Knee Deep that
    0.1.0 has kept chance said Bukseon, 1, as `hexboard log` tells it; companions are chosen from
    Gondwana, 0, on."""
    into = tmp_path / "archive"
    named = swapped(tmp_path / "games"), KEPT / "0.1.0" / "knee-deep"
    assert hexboard("archive", *named, "-o", into).returncode == 0
    sql = "SELECT game, first, winner FROM {recordings} ORDER BY game"
    assert foreign(into, sql) == [("bad-santa-hex", 1, 0), ("knee-deep", 1, None)]
    (row,) = answer(into, "first-player")
    assert (row[0], row[2], row[3]) == ("bad-santa-hex", 1, 0)


def said_in(folder: Path, name: str, on: str, game: str, *said: str, **options: Value) -> Path:
    """A match of any game in which this was said."""
    begins = start(name, load(find(on)), game, **options)
    return played(folder / name, name, [begins, *(Declare(-1, it) for it in said)], on)


@pytest.mark.long
def test_who_only_speaks_before_the_first_move_has_not_begun(tmp_path: Path) -> None:
    """Black begins (ALMA-1.2), in Bad Santa Hex Black or whom `first` names (BSH-1.3), in
    Hextraction the first seat. To resign, to offer a draw, to concede is no move."""
    made, into = tmp_path / "made", tmp_path / "archive"
    said_in(made, "1", "hexhex-5", "hexalma", "draw white", "a1-b2", "resign black")
    said_in(made, "2", "hexhex-5", "hexalma", "resign white")
    said_in(made, "3", "rhombus-11", "bad-santa-hex", "resign white")
    said_in(made, "4", "rhombus-11", "bad-santa-hex", "resign black", first="white")
    said_in(made, "5", "hextraction-22", "hextraction", "concede 1")
    assert hexboard("archive", made, "-o", into).returncode == 0
    sql = "SELECT match, first, winner FROM {recordings} ORDER BY match"
    assert foreign(into, sql) == [("1", 0, 1), ("2", 0, 0), ("3", 0, 0), ("4", 1, 1), ("5", 0, 0)]


@pytest.mark.long
def test_who_loses_alone_does_not_win(tmp_path: Path) -> None:
    """One alone at Hex'el concedes: no points, so nobody has won."""
    into = tmp_path / "archive"
    path = said_in(tmp_path, "alone", "table", "hexel", "concede 0", seats=1)
    assert hexboard("archive", path, "-o", into).returncode == 0
    assert foreign(into, "SELECT scores, winner FROM {recordings}") == [([0], None)]


@pytest.mark.long
def test_options_that_were_left_as_they_are_make_no_group(tmp_path: Path) -> None:
    """In Bad Santa Hex nobody swaps and Black begins, whether people said so or nothing
    (`hexboard help bad-santa-hex`)."""
    made, into = tmp_path / "made", tmp_path / "archive"
    options: list[dict[str, Value]] = [{}, {"swap": False}, {"first": "black"}, {"swap": True}]
    for n, given in enumerate(options):
        said_in(made, str(n), "rhombus-11", "bad-santa-hex", "resign white", **given)
    assert hexboard("archive", made, "-o", into).returncode == 0
    rows = [row[:3] for row in answer(into, "first-player")]
    game = "bad-santa-hex"
    assert rows == [[game, "{}", 3], [game, '{"swap":true}', 1]]


@pytest.mark.long
def test_a_roll_has_its_way_the_tiles_on_it_and_its_odds(tmp_path: Path) -> None:
    """That of the match which 0.1.0 has kept, read off `hexboard log`: told at 00:00.219, at rest
    with fact 24, edges in 14, 16 to 18, 20 and 22; the position has Asterisk, Z and J there."""
    into = tmp_path / "archive"
    assert hexboard("archive", KEPT / "0.1.0" / "hextraction", "-o", into).returncode == 0
    assert foreign(
        into,
        """SELECT roll, n, round(at_s, 3), round(moved_s, 3), balls, edges, places, pieces, ruled,
        odds_ppm > 900000, asked FROM {rolls}""",
    ) == [
        (
            *(1, 24, 0.452, 0.233, 1, 6),
            ["D1-2", "D1-D2", "C2-D2"],
            ["Asterisk/1", "Z/2", "J/3"],
            *("Tiles lost: -. Balls lie at: C2-D2", True, None),
        )
    ]


@pytest.mark.long
def test_a_move_at_which_a_game_crashes_is_in_no_row_and_no_record(tmp_path: Path) -> None:
    """The third, which is in the match when what it told is asked for."""
    home, code, into = tmp_path / "home", strangers.one_file("stellar"), tmp_path / "archive"
    strangers.keep(home, "stellar", code)
    path = strangers.played(home, tmp_path, "stellar", "d4", "a1", "b2")
    told = "    def events(self) -> tuple[Event, ...]:\n"
    wrong = f"{told}        1 // (self.cells.count(EMPTY) - len(CELLS) + 3)\n"
    strangers.keep(home, "stellar", code.replace(told, wrong))
    done = hexboard("--home", home, "archive", path, "-o", into)
    assert done.returncode == 3, done.stderr
    sql = "SELECT list(action ORDER BY n) FROM {rulings}"
    assert foreign(into, sql) == [(["d4", "a1"],)]
    record = hexboard("--home", home, "export", "--record", path)
    assert (record.returncode, "1. d4\n2. a1\nResult" in record.stdout) == (2, True)


def test_every_table_and_column_is_told_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "archive.md").read_text("utf-8")
    _, _, page = page.partition("## Tables")
    told = {
        line.split("`")[1]: set(re.findall(r"`(\w+)`", line))
        for line in page.splitlines()
        if line.startswith("| `")
    }
    assert told.keys() == TABLES.keys()
    for table, kind in TABLES.items():
        assert set(columns(kind)) - {"recording"} <= told[table], table


def test_questions_have_their_answers(archive: Path, folder: Path) -> None:
    """Those of the evening, as `hexboard log` and the answers among its facts have them."""
    (path,) = recordings(folder / "balls")
    with path.open("rb") as file:
        facts = [json.loads(it.data) for *_, it in make_reader(file).iter_messages(["fact"])]
    given = {it["n"]: it for it in facts if it["body"]["type"] == "decide"}
    times = {it["n"]: it["t"] for it in facts}
    rows = foreign(
        archive, "SELECT n, answer, choices, answer_text, waited_s FROM {questions} ORDER BY n"
    )
    assert given
    answered = [row for row in rows if row[1] is not None]
    for (n, answer, choices, text, waited_s), decide in zip(answered, given.values(), strict=True):
        assert answer == decide["body"]["choice"]
        assert text in choices
        assert waited_s == pytest.approx((times[decide["n"]] - times[n]) / S, abs=1e-9)


@pytest.mark.long
def test_an_answer_that_the_table_refused_is_none(tmp_path: Path) -> None:
    """Black asks for a move back; White alone may agree, with yes or no. A move ends it."""

    def asked(name: str, *answers: Decide) -> Path:
        begins = start(name, load(find("hexhex-5")), takeback="agreed")
        back = Ruling("undo", "Ann", "", (0,))
        on = [Declare(-1, "i1-h1"), Declare(-1, "resign white")]
        return played(made / name, name, [begins, Declare(-1, "a1-b2"), back, *answers, *on])

    made, into = tmp_path / "made", tmp_path / "archive"
    run = Replay(asked("nobody"))
    (id,) = {run.asking.id for _ in run if run.asking is not None}
    own, bogus = Decide(id, "yes", (0,), "Ann"), Decide(id, "bogus", (1,), "Ben")
    asked("own", own)
    asked("bogus", bogus)
    asked("no", own, bogus, Decide(id, "no", (1,), "Ben"))
    assert hexboard("archive", made, "-o", into).returncode == 0
    sql = """SELECT match, answer, answer_text IS NULL
        FROM {questions} JOIN {recordings} USING (recording) ORDER BY match"""
    none = [(name, None, True) for name in ("bogus", "own")]
    assert foreign(into, sql) == [none[0], ("no", "no", False), ("nobody", None, True), none[1]]


@pytest.mark.long
def test_figures_of_one_match_and_one_question_without_an_answer(tmp_path: Path) -> None:
    """Who began has won 0 of 1. Wilson with z = 1.96: from 0 to z^2 / (1 + z^2) = 0.793. Of no
    answer none was the first."""
    begins = start("one", load(find("hexhex-5")), takeback="agreed")
    back, on = Ruling("undo", seats=(0,)), ("i1-h1", "resign black")
    bodies: list[Body] = [begins, Declare(-1, "a1-b2"), back, *(Declare(-1, it) for it in on)]
    into = tmp_path / "archive"
    assert hexboard("archive", played(tmp_path, "one", bodies), "-o", into).returncode == 0
    assert ask(into, "first-player", "--csv").stdout.splitlines()[1].endswith("1,0,0,0.0,0.0,0.793")
    (row,) = answer(into, "questions")
    assert row[2:] == [1, 1.0, None]
    assert ask(into, "questions", "--csv").stdout.splitlines()[1].endswith(",1,1.0,")


@pytest.mark.long
def test_a_roll_of_which_the_table_asked_keeps_that_question_whatever_the_rules_ask_then(
    tmp_path: Path,
) -> None:
    """Seed 10: where a ball is is asked before the roll is weighed; it is weighed by the answer,
    with which the rules ask something as well. Each doubt is one of the roll weighed next."""
    evening(load(find("hextraction-22")), tmp_path / "balls", 10, 14, 1500, lambda turn: None)
    into = tmp_path / "archive"
    assert hexboard("archive", tmp_path / "balls", "-o", into).returncode == 0
    doubts = """SELECT (SELECT min(r.n) FROM {rolls} r WHERE r.n >= q.n), key
        FROM {questions} q WHERE key LIKE 'table.%' ORDER BY ALL"""
    asked = foreign(into, "SELECT n, asked FROM {rolls} WHERE asked LIKE 'table.%' ORDER BY n")
    assert asked == foreign(into, doubts)
    at = ", ".join(str(n) for n, key in asked if key == "table.where")
    rules = f"SELECT key FROM {{questions}} WHERE n IN ({at}) AND key NOT LIKE 'table.%'"
    assert foreign(into, rules) == [("hextraction.ask_three",)]


@pytest.mark.long
def test_a_match_that_went_on_counts_once_and_nothing_of_it_twice(tmp_path: Path) -> None:
    board = load(find("hexhex-5"))
    before = match(tmp_path / "1", "long", *MOVES)
    entries = tuple(encode_entry(Played(move)).decode() for move in MOVES)
    on: list[Body] = [
        Resume(start("long", board), entries),
        Ruling("right"),
        Declare(-1, "resign black"),
    ]
    after = played(tmp_path / "2", "long", on)
    into = tmp_path / "archive"
    assert hexboard("archive", before, after, "-o", into).returncode == 0
    sql = "SELECT DISTINCT action FROM {rulings} WHERE kind = 'played' ORDER BY ALL"
    assert foreign(into, sql) == [("b6-c7",), ("i4:i5",), ("resign black",)]
    assert foreign(into, "SELECT count(DISTINCT n * 10 + entry) FROM {rulings}") == [(3,)]
    (row,) = answer(into, "first-player")
    assert row[2:5] == [1, 0, 0]


@pytest.mark.long
def test_a_match_counts_once_whose_board_got_another_title(tmp_path: Path) -> None:
    """It went on, already over, when hexboard was started again with another board file."""
    before = match(tmp_path / "1", "long", *MOVES, "resign white")
    entries = tuple(encode_entry(Played(move)).decode() for move in (*MOVES, "resign white"))
    renamed = replace(load(find("hexhex-5")), title="In the hall")
    on = [Resume(start("long", renamed), entries)]
    after = played(tmp_path / "2", "long", on, title="In the hall")
    into = tmp_path / "archive"
    assert hexboard("archive", before, after, "-o", into).returncode == 0
    assert foreign(into, "SELECT count(DISTINCT board_hash), bool_and(over) FROM {recordings}") == [
        (2, True)
    ]
    (row,) = answer(into, "first-player")
    assert row[2:5] == [1, 1, 0]


def numbered(recording: Path, session: int, slow_s: int, **more: str) -> Path:
    """A recording as the `session`-th of its match, by a clock that is so many seconds slow."""
    it, path = read(recording), recording.with_name(f"numbered-{recording.name}")
    metadata = {**it.metadata, "session": str(session), **more}
    out = Recorder(
        path,
        schemas=schemas(),
        attachments=it.attachments,
        metadata=metadata,
        trouble=lambda why: pytest.fail(str(why)),
    )
    for record in it:
        out.put(record.topic, record.t + slow_s * S, record.payload)
    out.close()
    return path


@pytest.mark.long
def test_a_recording_says_in_the_archive_whose_pico_it_is(tmp_path: Path) -> None:
    one = match(tmp_path / "1", "m1", *MOVES)
    other = numbered(one, 1, 60, pico="E661")
    into = tmp_path / "archive"
    assert hexboard("archive", one, other, "-o", into).returncode == 0
    assert foreign(into, "SELECT pico FROM {recordings} ORDER BY ALL") == [("E661",), (None,)]


@pytest.mark.long
def test_the_last_recording_of_a_match_is_that_whatever_the_clock_said(tmp_path: Path) -> None:
    """Somebody set it an hour back before the match went on."""
    board = load(find("hexhex-5"))
    before = numbered(match(tmp_path / "1", "long", *MOVES), 1, 0)
    entries = tuple(encode_entry(Played(move)).decode() for move in MOVES)
    on: list[Body] = [Resume(start("long", board), entries), Ruling("right")]
    after = numbered(played(tmp_path / "2", "long", [*on, Declare(-1, "resign black")]), 2, 3600)
    into = tmp_path / "archive"
    assert hexboard("archive", before, after, "-o", into).returncode == 0
    sql = "SELECT session, over FROM {recordings} ORDER BY begun"
    assert foreign(into, sql) == [(2, True), (1, False)]
    (row,) = answer(into, "first-player")
    assert row[2:5] == [1, 0, 0]


def test_an_archive_of_before_is_asked_as_well(archive: Path, tmp_path: Path) -> None:
    """No recording of it tells its session."""
    into = shutil.copytree(archive, tmp_path / "old")
    for file in into.glob("*/recordings.parquet"):
        whole = file.rename(file.with_suffix(".whole"))
        with duckdb.connect() as connection:
            parquet = connection.read_parquet(str(whole))
            parquet.project("* EXCLUDE session").write_parquet(str(file))
    assert answer(into, "first-player") == answer(archive, "first-player")


@pytest.mark.long
def test_what_a_camera_was_not_certain_of_is_told_by_its_light(tmp_path: Path) -> None:
    """Of 61 cells one may be two things, at 10 cnat, in the second look: 1 of 122. The light is off
    by 70 and 120 thousandths, which are told from 50 and 100 on; a hand's look counts for none."""
    board = load(find("hexhex-5"))
    sure = ((0, 0), (1, 5000))
    unsure = ((0, 0), (1, 10))
    looks = [
        Reading((sure,) * 61, samples=(Sample(0, BARE, (10, -70, 5)), Sample(1, 0, (500, 0, 0)))),
        Reading((sure,) * 60 + (unsure,), samples=(Sample(0, BARE, (-70, 0, 0)),)),
        Reading(),
        Reading((sure,) * 61, samples=(Sample(0, BARE, (0, 0, 120)),)),
    ]
    path = played(tmp_path / "looks", "looks", [start("looks", board), *looks])
    into = tmp_path / "archive"
    assert hexboard("archive", path, "-o", into).returncode == 0
    assert answer(into, "doubt-by-light") == [
        ["hexhex-5", 50, 2, 0.0082],
        ["hexhex-5", 100, 1, 0.0],
    ]


@pytest.mark.long
def test_nothing_hidden_gets_into_an_archive(tmp_path: Path) -> None:
    """Of matches whose cards are still sealed: no row has the seed, nor more cards than heard."""
    secrets: set[str] = set()
    heard: list[str] = []
    for game in ("hexel", "knee-deep"):
        (sealed,) = (KEPT / "0.1.0" / game / "recordings").glob("*.sealed")
        with sealed.open("rb") as file:
            for _, _, record in make_reader(file).iter_messages(topics=["fact"]):
                body = json.loads(record.data)["body"]
                secrets |= {str(body[key]) for key in ("seed", "salt", "action") if key in body}
        with sealed.with_suffix(".mcap").open("rb") as file:
            heard += [record.data.decode() for _, _, record in make_reader(file).iter_messages()]
    hidden = {it for it in secrets if not any(it in text for text in heard)}
    assert len(hidden) > 5
    into = tmp_path / "archive"
    kept = [KEPT / "0.1.0" / game for game in ("hexel", "knee-deep")]
    assert hexboard("archive", *kept, "-o", into).returncode == 0
    texts = "\n".join(
        str(row)
        for table in ("recordings", "facts", "rulings", "questions")
        for row in foreign(into, f"SELECT * FROM {{{table}}}")
    )
    assert {it for it in hidden if it in texts} == set()
    assert texts.count("drawn ?") + texts.count("draw ?") > 0


# ----------------------------------------------------------------------------- again, and otherwise


@pytest.mark.long
def test_what_is_known_is_not_replayed_again_until_it_or_the_code_changes(
    folder: Path, tmp_path: Path
) -> None:
    home, into = tmp_path / "home", tmp_path / "archive"
    (home / "games").mkdir(parents=True)
    own = home / "games" / "own_hexalma.py"
    text = "from msgspec.structs import replace\nfrom hexboard.games.hexalma import GAME as IT\n"
    own.write_text(f"{text}GAME = replace(IT, name='own-hexalma')\n", "utf-8")
    files = shutil.copytree(folder / "a", tmp_path / "files")
    match(files, "one-more", *MOVES)

    def run() -> tuple[int, int]:
        told = hexboard("--home", home, "archive", files, "-o", into, "--json").stdout
        return json.loads(told)["replayed"], json.loads(told)["cached"]

    assert run() == (2, 0)
    assert run() == (0, 2)
    match(files, "and-one-more", *MOVES)
    assert run() == (1, 2)
    own.write_text(own.read_text("utf-8") + "# as before\n", "utf-8")
    assert run() == (3, 0)
    assert foreign(into, "SELECT count(*), count(DISTINCT replayed_by) FROM {recordings}") == [
        (3, 1)
    ]


@pytest.mark.long
def test_another_archive_tells_what_is_ruled_otherwise_now(
    folder: Path, archive: Path, tmp_path: Path
) -> None:
    """Of the other one a ruling is changed and the last of another match is dropped, by DuckDB."""
    other = shutil.copytree(archive, tmp_path / "other")
    same = hexboard("archive", folder, "-o", archive, "--against", other)
    assert (same.returncode, same.stderr) == (0, "")
    assert "4 recordings in both archives, the same rulings in all." in same.stdout
    for name, ruled in {
        "first-wins": "SELECT * REPLACE (if(entry = 2, 'X9', rule) AS rule) FROM t",
        "second-wins": "SELECT * FROM t WHERE entry < 3",
    }.items():
        ((id,),) = foreign(other, f"SELECT recording FROM {{recordings}} WHERE match = '{name}'")
        path = other / id / "rulings.parquet"
        with duckdb.connect() as connection:
            connection.execute(f"CREATE TABLE t AS FROM read_parquet('{path}')")
            connection.execute(f"COPY ({ruled}) TO '{path}'")
    (id,) = foreign(other, "SELECT recording FROM {recordings} WHERE match = 'nobody-wins'")[0]
    shutil.rmtree(other / id)
    done = hexboard("archive", folder, "-o", archive, "--against", other, "--json")
    assert done.returncode == 2
    told = json.loads(done.stdout)
    assert (told["replayed"], told["cached"]) == (0, 4)
    against = told["against"]
    assert against["both"] == 3
    assert [name[:7] for name in against["missing"]] == ["nobody-"]
    found = {it["file"][:7]: it["changes"] for it in against["different"]}
    assert found.keys() == {"first-w", "second-"}
    (change,) = found["first-w"]
    assert (change["one"][0]["rule"], change["seconds"]) == ("X9", 2.0)
    assert change["other"][0]["rule"] != "X9"
    (change,) = found["second-"]
    assert change["one"] == []
    assert change["other"][0]["text"]
    plain = hexboard("archive", folder, "-o", archive, "--against", other)
    assert "2 of 3 recordings in both archives are ruled otherwise." in plain.stdout
    assert "00:02.000" in plain.stdout
    itself = hexboard("archive", folder, "-o", archive, "--against", archive)
    assert (itself.returncode, "this archive itself" in itself.stderr) == (2, True)


# ------------------------------------------------------------------------------------- bad input


@pytest.mark.long
def test_a_recording_whose_name_is_no_text_is_archived_with_it_escaped(
    folder: Path, tmp_path: Path
) -> None:
    """As a stick of another system may have it; it is chosen before the other copy, or alone."""
    (good,) = recordings(folder / "a")
    odd = Path(os.fsdecode(bytes(tmp_path / "odd") + b"\xffd.mcap"))
    shutil.copy(good, odd)
    into = tmp_path / "archive"
    for files in ((odd,), (odd, good)):
        shutil.rmtree(into, ignore_errors=True)
        done = hexboard("archive", *files, "-o", into)
        assert (done.returncode, "hexboard made a mistake" in done.stderr) == (0, False)
        assert foreign(into, "SELECT file FROM {recordings}") == [("odd\\xffd.mcap",)]


@pytest.mark.long
def test_what_cannot_be_read_is_said_and_the_rest_goes_on(folder: Path, tmp_path: Path) -> None:
    files = tmp_path / "files"
    shutil.copytree(folder / "a", files / "good")
    (good,) = recordings(files / "good")
    shutil.copy(good, files / "copy.mcap")
    (balls,) = recordings(folder / "balls")
    data = balls.read_bytes()
    (files / "torn.mcap").write_bytes(data[: int(len(data) * 0.9)])
    (files / "empty.mcap").touch()
    (files / "letter.mcap").write_text("this is a letter to my aunt\n" * 50, "utf-8")

    def newer(fact: dict[str, Any]) -> None:
        if fact["body"]["type"] == "start":
            fact["body"] |= {"rules": "hexalma 99", "code": "9.0.0"}

    def telepathy(fact: dict[str, Any]) -> None:
        if fact["n"] == 3:
            fact["body"] = {"type": "telepathy"}

    edited(good, files / "newer.mcap", newer)
    edited(good, files / "unknown.mcap", telepathy)
    into = tmp_path / "archive"
    done = hexboard("archive", files, tmp_path / "nowhere.mcap", "-o", into)
    assert done.returncode == 1
    said = {line.split(": ")[0].partition(" is ")[0]: line for line in done.stderr.splitlines()}
    assert len(said) == 7, done.stderr
    assert "is the same recording as" in said[str(good)]
    assert "is damaged: what of it is whole is in the archive" in said[str(files / "torn.mcap")]
    assert "is left out" in said[str(files / "empty.mcap")]
    assert "not a recording" in said[str(files / "letter.mcap")]
    assert "hexalma 99" in said[str(files / "newer.mcap")]
    assert "9.0.0" in said[str(files / "newer.mcap")]
    assert "--as-recorded" in said[str(files / "unknown.mcap")]
    assert "no file" in said[str(tmp_path / "nowhere.mcap")]
    assert done.stdout.startswith("2 recordings replayed (")
    assert "5 left out" in done.stdout
    kept = foreign(into, "SELECT file, damage FROM {recordings} ORDER BY file")
    assert kept == [("copy.mcap", None), ("torn.mcap", "torn")]
    only = hexboard("archive", files / "torn.mcap", "-o", into)  # known, and damaged all the same
    assert (only.returncode, "is damaged" in only.stderr) == (3, True)
    whole = hexboard("archive", balls, "-o", into)  # more of the same evening takes its place
    assert whole.returncode == 0, whole.stderr
    both = hexboard("archive", files / "torn.mcap", balls, "-o", tmp_path / "both")
    assert both.returncode == 0
    assert both.stderr.startswith(f"{files / 'torn.mcap'} is the same recording as {balls},")
    assert foreign(tmp_path / "both", "SELECT file FROM {recordings}") == [(balls.name,)]
    part = hexboard("archive", files / "torn.mcap", "-o", into)
    assert (part.returncode, "is shorter than what the archive has" in part.stderr) == (0, True)
    sql = "SELECT file, damage FROM {recordings} WHERE game = 'hextraction'"
    assert foreign(into, sql) == [(balls.name, None)]


@pytest.mark.long
def test_a_replay_that_differs_from_the_evening_is_told(folder: Path, tmp_path: Path) -> None:
    def edit(fact: dict[str, Any]) -> None:
        if fact["body"].get("action") == MOVES[1]:
            fact["body"]["action"] = "i4-h4"

    (good,) = recordings(folder / "a")
    path = edited(good, tmp_path / "edited.mcap", edit)
    for _ in range(2):  # replayed, and known
        done = hexboard("archive", path, "-o", tmp_path / "archive")
        assert done.returncode == 2
        assert f"{path}: from fact 3 on it is ruled otherwise" in done.stderr


@pytest.mark.long
def test_a_disk_that_fills_leaves_out_what_does_not_fit(folder: Path, tmp_path: Path) -> None:
    into = tmp_path / "archive"

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = hexboard("archive", folder, "-o", into, preexec_fn=small)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert f"{into} cannot be written to (File too large)" in line
    assert foreign(into, "SELECT game, count(*) FROM {recordings} GROUP BY ALL") == [("hexalma", 3)]
    assert [path for path in into.iterdir() if path.name.startswith(".")] == []
    again = json.loads(hexboard("archive", folder, "-o", into, "--json").stdout)
    assert (again["replayed"], again["cached"], again["left_out"]) == (1, 3, 0)


def workers(pid: int) -> list[int]:
    """The processes that replay for a command."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(child) for path in listed for child in path.read_text().split()]
    return [it for it in found if b"spawn_main" in Path(f"/proc/{it}/cmdline").read_bytes()]


def begun(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*HEXBOARD, "archive", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.long
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    """A short match and an evening of minutes; the larger file is begun first, by one of two."""
    board = load(find("hextraction-22"))
    files, into = tmp_path / "files", tmp_path / "archive"
    evening(board, files, 5, 60, 1500, lambda turn: None)
    match(files, "short", *MOVES)
    with begun(files, "-o", into, "--workers", 2) as command:
        eventually(lambda: [*into.glob("*/recordings.parquet")])
        found = workers(command.pid)
        os.killpg(command.pid, signal.SIGINT)  # as a terminal does
        _, said = command.communicate()
    assert command.returncode in (130, 0), said  # 0: the evening was done as well by then
    assert "Traceback" not in said
    assert not any(map(alive, found))
    assert [path for path in into.iterdir() if path.name.startswith(".")] == []
    kept = len([*into.iterdir()])
    again = json.loads(hexboard("archive", files, "-o", into, "--json").stdout)
    assert (again["replayed"], again["cached"]) == (2 - kept, kept)


@pytest.mark.long
def test_a_process_that_is_killed_loses_its_recording_alone(folder: Path, tmp_path: Path) -> None:
    into = tmp_path / "archive"
    with begun(folder, "-o", into, "--workers", 1) as command:
        (first,) = eventually(lambda: workers(command.pid))
        os.kill(first, signal.SIGKILL)
        said, wrong = command.communicate()
    assert command.returncode == 1
    assert "Traceback" not in wrong
    assert len(wrong.splitlines()) == 1
    assert "the process that replayed it was killed" in wrong
    assert said.startswith("3 recordings replayed (")


@pytest.mark.long
def test_a_recording_with_a_torn_table_is_replayed_again(folder: Path, tmp_path: Path) -> None:
    recording, archive = recordings(folder)[0], tmp_path / "archive"
    first = invoke("archive", recording, "-o", archive)
    assert first.exit_code == 0, first.output
    (facts,) = archive.glob("*/facts.parquet")
    facts.write_bytes(facts.read_bytes()[:-9])
    again = invoke("archive", recording, "-o", archive)
    assert "1 recording replayed" in again.output
    assert answer(archive, "select count(*) > 0 from facts") == [[True]]


@pytest.mark.long
def test_what_made_room_for_something_that_never_came_comes_back(
    folder: Path, tmp_path: Path
) -> None:
    """Whoever wrote it was killed between the two."""
    (first, second), archive = recordings(folder)[:2], tmp_path / "archive"
    invoke("archive", first, "-o", archive)
    (facts,) = archive.glob("*/facts.parquet")
    half = archive / ".half-killed"
    half.mkdir()
    facts.parent.rename(half / f"{facts.parent.name}.before")
    os.utime(half, (0, 0))
    invoke("archive", second, "-o", archive)
    assert (facts.exists(), half.exists()) == (True, False)


def test_an_archive_that_is_none_is_said(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "There is no recording in" in hexboard("archive", empty, "-o", tmp_path / "a").stderr
    done = ask(empty, "recordings")
    assert done.exit_code == 1
    assert f"There is no archive in {empty}" in done.output
    (empty / "x").mkdir()
    (empty / "x" / "recordings.parquet").write_bytes(b"PAR1 and nothing more")
    done = ask(empty, "recordings")
    assert done.exit_code == 1
    assert "cannot be read" in done.output
    assert "x/recordings.parquet" in done.output.replace("\n", "")


# ------------------------------------------------------------------------------------------ asking


def test_an_answer_is_a_table_json_or_csv(archive: Path) -> None:
    question = "SELECT match, scores, winner FROM recordings WHERE game = 'hexalma' ORDER BY match"
    rows = [["first-wins", [1, 0], 0], ["nobody-wins", [0, 0], None], ["second-wins", [0, 1], 1]]
    told = json.loads(ask(archive, question, "--json").stdout)
    assert told == {"columns": ["match", "scores", "winner"], "rows": rows}
    lines = [*csv.reader(io.StringIO(ask(archive, question, "--csv").stdout))]
    assert lines[0] == ["match", "scores", "winner"]
    assert lines[2] == ["nobody-wins", "[0, 0]", ""]
    shown = ask(archive, question)
    assert [line.split() for line in shown.stdout.splitlines() if "wins" in line] == [
        ["first-wins", "1,", "0", "0"],
        ["nobody-wins", "0,", "0"],
        ["second-wins", "0,", "1", "1"],
    ]
    assert "3 rows." in shown.stderr


def test_what_is_no_question_is_said(archive: Path) -> None:
    for question, words in {
        "first-playr": "Did you mean “first-player”?",
        "SELECT nothing FROM rulings": "“nothing”|not found in FROM",
        "SELECT FROM WHERE": "syntax error",
        "SELECT 1 FROM nowhere": "nowhere does not exist",
        "/* a comment */": "Nothing is asked there. Tables: recordings,",
        "": "Nothing is asked there.",
        "SELECT error('too far') FROM rulings": "too far",
    }.items():
        done = ask(archive, question)
        assert done.exit_code == 1, question
        assert any(word in done.output for word in words.split("|")), done.output
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert "NoneType" not in done.stderr
    assert ask(archive, "SELECT 1", "--csv", "--json").exit_code == 2
    assert "error" in json.loads(ask(archive, "SELECT nix", "--json").stdout)


@pytest.mark.parametrize("name", [path.stem for path in OURS.glob("*.sql")])
def test_every_ready_question_is_answered_and_said_in_german(archive: Path, name: str) -> None:
    done = ask(archive, name, "--json")
    assert done.exit_code == 0, done.output
    english = (OURS / f"{name}.sql").read_text("utf-8").splitlines()[0].removeprefix("-- ")
    listed = invoke("ask").output
    german = invoke("--language", "de", "ask").output
    assert english in listed
    assert name in german
    assert english not in german


def test_a_ready_question_of_ones_own_is_found(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "questions").mkdir()
    for name, coded in (("mine", "utf-8"), ("notepads", "utf-8-sig")):
        file = tmp_path / "questions" / f"{name}.sql"
        file.write_text("-- What I ask.\nSELECT 6 * 7\n", coded)
    words = ["--home", str(tmp_path), "ask"]
    for name in ("mine", "notepads"):
        assert f"{name:15} What I ask." in invoke(*words).output
        done = invoke(*words, name, "--csv", "--archive", archive)
        assert done.stdout.splitlines()[1:] == ["42"]
    old = tmp_path / "questions" / "old.sql"
    old.write_text("-- Wer gewinnt überall?\nSELECT 1\n", "latin-1")
    (tmp_path / "questions" / "folder.sql").mkdir()
    listed = invoke(*words)
    assert (listed.exit_code, "old" in listed.output, "folder" in listed.output) == (0, True, False)
    done = invoke(*words, "old", "--archive", archive)
    assert (done.exit_code, done.stderr) == (
        1,
        f"{old} is no text in UTF-8: save it anew, as UTF-8.\n",
    )


def test_sensors_that_age_are_found_by_their_misses(archive: Path, tmp_path: Path) -> None:
    """Four evenings, by hand: a sensor that missed 1 of 20 and then 5 of 20, and one that got
    better."""
    ids = [path for path in archive.iterdir() if (path / "rolls.parquet").exists()]
    missed = {"old": (0, 1, 2, 3), "new": (1, 1, 0, 0)}
    for day in range(4):
        here = shutil.copytree(ids[0], tmp_path / f"{day}")
        rows = ", ".join(
            f"('{day}', '{name}', {10 - lost[day]}, {lost[day]})" for name, lost in missed.items()
        )
        with duckdb.connect() as connection:
            connection.execute(
                f"COPY (SELECT * FROM (VALUES {rows}) t(recording, sensor, seen, missed)) "
                f"TO '{here}/sensors.parquet' (FORMAT parquet)"
            )
            connection.execute(
                f"COPY (SELECT '{day}' AS recording, 'b' AS board, "
                f"TIMESTAMP '2026-01-0{day + 1}' AS begun) TO '{here}/recordings.parquet'"
            )
    assert answer(tmp_path, "ageing-sensors") == [["b", None, "old", 20, 1, 20, 5, 0.2]]


@pytest.mark.long
def test_boards_of_one_kind_age_each_by_themselves(archive: Path, tmp_path: Path) -> None:
    """By hand: one board misses 1 of 10 each evening, another one 4 of 10 on both of its evenings,
    which come later. No sensor of either gets worse."""
    ids = [path for path in archive.iterdir() if (path / "rolls.parquet").exists()]
    for day, (pico, lost) in enumerate((("E1", 1), ("E1", 1), ("E2", 4), ("E2", 4))):
        here = shutil.copytree(ids[0], tmp_path / f"{day}")
        with duckdb.connect() as connection:
            connection.execute(
                f"COPY (SELECT '{day}' AS recording, 's' AS sensor, {10 - lost} AS seen, "
                f"{lost} AS missed) TO '{here}/sensors.parquet' (FORMAT parquet)"
            )
            connection.execute(
                f"COPY (SELECT '{day}' AS recording, 'b' AS board, '{pico}' AS pico, "
                f"TIMESTAMP '2026-01-0{day + 1}' AS begun) TO '{here}/recordings.parquet'"
            )
    assert answer(tmp_path, "ageing-sensors") == []


WITHOUT_DUCKDB = """
import sys
sys.modules["duckdb"] = None  # as where it is not installed
from hexboard.commands.cli import main
main()
"""


@pytest.mark.parametrize("command", ["archive .", "ask recordings"])
def test_without_duckdb_it_is_said_how_to_install_it(command: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_DUCKDB, *command.split()],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert done.returncode == 1
    assert "An archive needs DuckDB: pip install 'hexboard[archive]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def endless(out: Path) -> str:
    """A question that writes into a folder as it begins, and has no end."""
    out.mkdir()
    nothing = "SELECT a FROM range(1000000000000) t(a) WHERE sqrt(a) + a % 7 < -1"
    return f"COPY ({nothing}) TO '{out}/a.csv'"


def test_ctrl_c_ends_a_question_that_is_just_beginning(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question is asked beside, and Ctrl-C comes while that begins."""
    out = tmp_path / "out"
    words = ["ask", "--archive", str(archive), endless(out)]
    start = Thread.start

    def interrupted(thread: Thread) -> None:
        start(thread)
        monkeypatch.undo()
        eventually(lambda: any(out.iterdir()))
        raise KeyboardInterrupt

    monkeypatch.setattr(Thread, "start", interrupted)
    result = invoke(*words)
    assert (result.exit_code, result.output) == (130, "Stopped.\n")


@pytest.mark.long
def test_ctrl_c_ends_a_question_without_an_end(archive: Path, tmp_path: Path) -> None:
    """It has begun once its file is there."""
    out = tmp_path / "out"
    words = ["ask", "--archive", str(archive), endless(out)]
    nul, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen([*HEXBOARD, *words], stdout=nul, stderr=pipe, text=True) as asking:
        eventually(lambda: any(out.iterdir()))
        asking.send_signal(signal.SIGINT)
        _, said = asking.communicate()
    assert (asking.returncode, said) == (130, "Stopped.\n")
