"""What can be watched again: which recordings are listed, and what is served of them."""

import contextlib
import os
import resource
import shutil
import threading
import time
from pathlib import Path

import msgspec
import pytest

from hexboard.board import plain
from hexboard.commands.bundle import _last
from hexboard.daemon import again
from hexboard.daemon.again import LATEST, About, Recordings, _export, about_file
from hexboard.game import registry
from hexboard.record import recording
from hexboard.record.journal import Journal
from hexboard.record.sealed import open_match
from hexboard.web.sheet import outcome
from hexboard.words import ENGLISH, message, speaking
from hexboard.words.errors import HexboardError
from tests import strangers
from tests.golden import GOLDEN
from tests.running import PATIENCE, crashing_at, eventually, hexboard
from tests.web.test_theatre import data, dealt, states


def kept(folder: Path, name: str, lasted_s: float, about: About | None) -> Path:
    """A recording of this name, begun when the name says and written to for so long."""
    path = folder / f"{name}.mcap"
    path.write_bytes(b"no recording")
    begun = time.mktime(time.strptime(name.rpartition("+")[2][:15], "%Y%m%d-%H%M%S"))
    os.utime(path, (begun + lasted_s, begun + lasted_s))
    if about is not None:
        about_file(path).write_bytes(msgspec.json.encode(about))
    return path


def watched(recordings: Recordings, name: str) -> bytes:
    """Its page, once it is made."""
    page: bytes = eventually(lambda: recordings.page(name))
    return page


def test_the_last_evening_is_listed_first_though_its_clock_was_behind(tmp_path: Path) -> None:
    """A Pi that never heard the time: with twelve evenings before it, it could not be watched."""
    behind, folder = "19700101-001500-dddd", tmp_path / "recordings"
    before = [f"202603{day:02}-200000-ab12" for day in range(1, LATEST + 3)]
    folder.mkdir()
    with contextlib.closing(Journal(tmp_path / "hexalma.db")) as journal:
        for match in (*before, behind):
            kept(folder, match, 5400, About("hexalma"))
            journal.begin(match, b"{}")
        journal.back_up(tmp_path / "hexalma.backup.db")
    kept(folder, f"{before[-1]}+20260320-193000", 60, About("hexalma"))
    recordings = Recordings(folder)
    try:
        names = [it["name"] for it in recordings.listed()]
    finally:
        recordings.close()
    assert names[:3] == [f"{before[-1]}+20260320-193000", behind, before[-1]]
    assert len(names) == LATEST
    behind_too = _last(folder, 2)
    assert {path.name.partition(".")[0].partition("+")[0] for path in behind_too} == {
        behind,
        before[-1],
    }


def test_an_evening_that_is_dated_ahead_hides_none_of_another_game(tmp_path: Path) -> None:
    """Two matches of 2038 carried their date to all later ones of their journal."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    ahead = ["20380101-200000-aaaa", "20380101-210000-aaaa"]
    later = [f"202603{day:02}-200000-ab12" for day in range(2, LATEST + 3)]
    other = "20260320-200000-cd34"
    for game, matches in {
        "hexalma": ["20260301-200000-ab12", *ahead, *later],
        "hexel": [other],
    }.items():
        with contextlib.closing(Journal(tmp_path / f"{game}.db")) as journal:
            for match in matches:
                kept(folder, match, 5400, About(game))
                journal.begin(match, b"{}")
            journal.back_up(tmp_path / f"{game}.backup.db")
    recordings = Recordings(folder)
    try:
        names = [it["name"] for it in recordings.listed()]
    finally:
        recordings.close()
    assert names[:5] == [*ahead[::-1], other, later[-1], later[-2]]


def test_recordings_are_listed_with_game_date_length_and_result(tmp_path: Path) -> None:
    won = About("hexalma", message("table.won", seat="Black"))
    kept(tmp_path, "20260301-200000-ab12", 5400, won)
    copied = kept(tmp_path, "20260301-200000-ab12+20260302-193000", 0, About("hexel", None, 61.0))
    os.utime(copied)
    kept(tmp_path, "20260303-200000-ab12", 2, About("hexalma"))  # nothing happened
    kept(tmp_path, "20260304-200000-ab12", 600, None)  # not closed, and no recording at all
    kept(tmp_path, "20260305-200000-ab12", 600, About("gone"))  # a game that is no longer there
    (tmp_path / "20260306-200000-ab12.frames.mcap").write_bytes(b"")
    (tmp_path / "mine.mcap").write_bytes(b"")
    recordings = Recordings(tmp_path)
    try:
        assert recordings.listed() == [
            {
                "name": "20260301-200000-ab12+20260302-193000",
                "title": "Hex'el",
                "date": "2026-03-02 19:30",
                "lasted": "1 min",
                "outcome": "",
            },
            {
                "name": "20260301-200000-ab12",
                "title": "HexAlma",
                "date": "2026-03-01 20:00",
                "lasted": "90 min",
                "outcome": "Black wins.",
            },
        ]
    finally:
        recordings.close()


def test_a_recording_of_an_evening_in_which_the_clock_was_set_is_listed_without_its_length(
    tmp_path: Path,
) -> None:
    """The plug was pulled: nothing beside it says how long it lasted. A Pi begins in the past."""
    names = ("20260301-200000-ab12", "20260302-200000-ab12")
    for name, lasted_s in zip(names, (121_080 * 60, -3_600), strict=True):
        path = kept(tmp_path, name, 0, None)
        shutil.copy(GOLDEN / "evening.mcap", path)
        written = path.stat().st_mtime
        begun = time.mktime(time.strptime(name[:15], "%Y%m%d-%H%M%S"))
        os.utime(path, (written, begun + lasted_s))
    recordings = Recordings(tmp_path)
    assert [(it["name"], it["lasted"]) for it in recordings.listed()] == [
        (name, "") for name in reversed(names)
    ]
    recordings.close()


def test_only_the_latest_are_listed_and_a_folder_that_is_not_there_has_none(tmp_path: Path) -> None:
    for day in range(1, LATEST + 3):
        kept(tmp_path, f"202603{day:02}-200000-ab12", 60, About("hexalma"))
    for folder, count in ((tmp_path, LATEST), (tmp_path / "none", 0)):
        recordings = Recordings(folder)
        assert len(recordings.listed()) == count
        recordings.close()


@pytest.mark.parametrize("name", ["", "..", "../token", "20260301-200000-ab12.mcap", "*"])
def test_what_is_no_recording_of_this_board_is_not_served(tmp_path: Path, name: str) -> None:
    (tmp_path / "recordings").mkdir()
    (tmp_path / "token.mcap").write_bytes(b"secret")
    kept(tmp_path / "recordings", "20260301-200000-ab12", 60, About("hexalma"))
    recordings = Recordings(tmp_path / "recordings")
    try:
        with pytest.raises(HexboardError) as refused:
            recordings.page(name)
        assert refused.value.message.key == "web.no_file"
    finally:
        recordings.close()


def slow(monkeypatch: pytest.MonkeyPatch) -> tuple[list[Path], threading.Event]:
    """Pages are made once the event is set, each of how its recording begins; those that were begun
    meanwhile."""
    begun, free = list[Path](), threading.Event()

    def export(file: Path, made: Path, _: Path | None) -> None:
        begun.append(made)
        assert free.wait(PATIENCE)
        made.write_bytes(file.read_bytes()[:12])

    monkeypatch.setattr(again, "_export", export)
    monkeypatch.setattr(again, "MOMENT_S", 0.01)
    return begun, free


def test_who_asks_again_while_a_page_is_made_waits_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each tap took one of the web's few threads: soon the board's own page got no script."""
    name = "20260301-200000-ab12"
    begun, free = slow(monkeypatch)
    recordings = Recordings(kept(tmp_path, name, 60, About("hexalma")).parent)
    try:
        assert {recordings.page(name) for _ in range(50)} == {b""}
        free.set()
        assert watched(recordings, name) == b"no recording"
        assert len(begun) == 1
    finally:
        free.set()
        recordings.close()


def test_the_page_of_an_evening_that_goes_on_is_of_when_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It grows between two taps, and one page is made: else there would never be any."""
    name = "20260301-200000-ab12"
    begun, free = slow(monkeypatch)
    file = kept(tmp_path, name, 60, About("hexalma"))
    recordings = Recordings(tmp_path)
    try:
        for _ in range(5):
            assert recordings.page(name) == b""
            file.write_bytes(file.read_bytes() + b", and on")
        free.set()
        assert watched(recordings, name) == b"no recording"
        assert len(begun) == 1
    finally:
        free.set()
        recordings.close()


def test_pages_are_kept_of_as_many_evenings_as_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board that is never restarted kept each page that anybody ever asked for."""
    _, free = slow(monkeypatch)
    free.set()
    recordings = Recordings(tmp_path)
    names = [f"202603{day:02}-200000-ab12" for day in range(1, LATEST + 6)]
    try:
        for name in names:
            kept(tmp_path, name, 60, About("hexalma"))
            assert watched(recordings, name) == b"no recording"
        there = sorted(it.name[: len(name)] for it in recordings._made.iterdir())
        assert there == names[-LATEST:]
        assert watched(recordings, names[0]) == b"no recording"  # made again
    finally:
        recordings.close()


def test_an_evening_can_be_watched_though_the_system_cleared_the_pages_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian removes from /tmp what nobody touched for ten days, folders too."""
    name = "20260301-200000-ab12"
    _, free = slow(monkeypatch)
    free.set()
    recordings = Recordings(kept(tmp_path, name, 60, About("hexalma")).parent)
    try:
        for _ in range(2):
            assert watched(recordings, name) == b"no recording"
            shutil.rmtree(recordings._made)
    finally:
        recordings.close()


def test_why_there_is_no_page_is_told_to_nobody_who_asks_much_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, tries = "20260301-200000-ab12", list[Path]()

    def full_at_first(_: Path, made: Path, __: Path | None) -> None:
        tries.append(made)
        if len(tries) == 1:
            raise HexboardError("front.no_page", why="the disk is full")
        made.write_bytes(b"<html>")

    monkeypatch.setattr(again, "_export", full_at_first)
    monkeypatch.setattr(again, "MOMENT_S", 0)
    monkeypatch.setattr(again, "GONE_S", 0)  # whoever asks, it is much later
    recordings = Recordings(kept(tmp_path, name, 60, About("hexalma")).parent)
    try:
        with contextlib.suppress(HexboardError):  # told at once, or not at all
            recordings.page(name)
        eventually(lambda: all(it.given_up for it in recordings._making.values()))
        assert watched(recordings, name) == b"<html>"
        assert len(tries) == 2
    finally:
        recordings.close()


@pytest.mark.long
def test_what_cannot_be_shown_says_why(tmp_path: Path) -> None:
    kept(tmp_path, "20260301-200000-ab12", 60, About("hexalma"))
    recordings = Recordings(tmp_path)
    try:
        with pytest.raises(HexboardError, match=r"cannot be shown: .*not an MCAP file") as refused:
            watched(recordings, "20260301-200000-ab12")
        assert refused.value.message.key == "front.no_page"
    finally:
        recordings.close()


def test_a_result_is_kept_in_english_for_pages_of_any_language() -> None:
    game = registry.find("hexalma")
    position = game.begin(plain("hexhex-5"), {})
    over = position.play(position.action("resign"))
    with speaking("de"):
        told = outcome(over, {}, ENGLISH)
    assert told is not None
    assert dict(told.values)["seat"] == "White"


def test_an_evening_whose_note_was_torn_is_listed_all_the_same(tmp_path: Path) -> None:
    path = kept(tmp_path, "20260301-200000-ab12", 5400, None)
    shutil.copy(GOLDEN / "evening.mcap", path)
    for torn in (b"", b'{"game":"hexa'):
        about_file(path).write_bytes(torn)  # a full disk, a power cut
        recordings = Recordings(tmp_path)
        assert [it["title"] for it in recordings.listed()] == ["Hextraction"]
        recordings.close()


@pytest.mark.long
def test_half_a_page_is_none_and_leaves_the_one_before(tmp_path: Path) -> None:
    """On a disk that takes 100 kB."""
    made = tmp_path / "evening.html"
    made.write_text("the one before")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(HexboardError, match="File too large"):
            _export(GOLDEN / "evening.mcap", made)
        done = hexboard("export", "--page", GOLDEN / "evening.mcap", "-o", made)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (done.returncode, "File too large" in done.stderr) == (1, True)
    assert [it.name for it in tmp_path.iterdir()] == ["evening.html"]
    assert made.read_text() == "the one before"


@pytest.mark.long
def test_an_evening_in_which_the_table_crashed_is_shown_up_to_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "20260301-200000-ab12"
    shutil.copy(GOLDEN / "evening.mcap", kept(tmp_path, name, 60, About("hextraction")))
    monkeypatch.setenv("PYTHONPATH", crashing_at(9, tmp_path)["PYTHONPATH"])
    recordings = Recordings(tmp_path)
    page = watched(recordings, name).decode()
    recordings.close()
    (notice,) = data(page)["notices"]
    assert "after fact 8 (ZeroDivisionError: a mistake of ours)" in str(notice)


@pytest.mark.long
def test_an_evening_of_ones_own_game_is_shown(tmp_path: Path) -> None:
    """Hexboard's folder is another than the usual one."""
    home = tmp_path / "home"
    strangers.keep(home, "stellar", strangers.one_file("stellar"))
    path = strangers.played(home, tmp_path, "stellar", "d4")
    recordings = Recordings(path.parent, home)
    assert len(data(watched(recordings, path.stem).decode())["moments"]) == 2
    recordings.close()


@pytest.mark.long
def test_a_game_of_hidden_cards_is_shown_with_them_once_it_is_over(tmp_path: Path) -> None:
    path, _ = dealt(tmp_path)
    recordings = Recordings(path.parent)
    pages = [watched(recordings, path.stem)]
    open_match(path.parent, "m")
    pages.append(watched(recordings, path.stem))
    recordings.close()
    hands = [states(data(page.decode()))[-1]["hands"] for page in pages]
    assert (hands[0], len(hands[1])) == ({}, 2)


def test_of_all_recordings_only_the_latest_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a year in a cafe there are thousands, on a slow card: the door waited for all."""
    opened: set[str] = set()
    reads = Path.read_bytes

    def noted(path: Path) -> bytes:
        opened.add(path.name.partition(".")[0])
        return reads(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    monkeypatch.setattr(recording, "_for_viewers", lambda path: opened.add(path.stem))
    names = [f"202603{day:02}-2000{k:02}-ab12" for day in range(1, 11) for k in range(10)]
    for name in names:
        kept(tmp_path, name, 5400, About("hexalma"))
    recordings = Recordings(tmp_path)
    assert [it["name"] for it in recordings.listed()] == names[: -LATEST - 1 : -1]
    assert opened == set(names[-LATEST:])
    opened.clear()
    with pytest.raises(HexboardError, match="no such file"):
        recordings.page("20260310-200010-ab12")
    assert opened == set()


@pytest.mark.long
def test_what_was_written_for_viewers_is_not_listed(tmp_path: Path) -> None:
    """Under a name like a recording's it is told by what it is."""
    kept(tmp_path, "20260301-200000-ab12", 5400, About("hexalma"))
    to = tmp_path / "20260302-200000-ab12.mcap"
    done = hexboard("export", "--foxglove", GOLDEN / "evening.mcap", "-o", to)
    assert done.returncode in (0, 2, 3), done.stderr
    recordings = Recordings(tmp_path)
    assert [it["name"] for it in recordings.listed()] == ["20260301-200000-ab12"]
