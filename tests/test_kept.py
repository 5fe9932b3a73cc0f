"""What earlier releases have kept (`tests/kept`) goes on in this one, and is replayed as it was."""

import json
import random
import shutil
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

import pytest

from hexboard.board import find, load
from hexboard.daemon.opening import goes_on
from hexboard.facts import Start
from hexboard.game import registry
from hexboard.record.beside import claims
from hexboard.record.journal import Journal
from hexboard.record.recording import read
from tests.benchmarks.faults import Evening
from tests.kept import KEPT, matches
from tests.running import hexboard

KINDS = [path.relative_to(KEPT).as_posix() for path in matches()]


def test_a_match_of_each_game_is_kept_of_each_release() -> None:
    releases = {path.parent.name for path in matches()}
    assert "0.1.0" in releases
    assert all(len(list((KEPT / release).iterdir())) >= 5 for release in releases)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_read_whole(kind: str, tmp_path: Path) -> None:
    """The journal by its own sums, after whatever migration it needs."""
    (path,) = shutil.copytree(KEPT / kind, tmp_path / "state").glob("*.db")
    with closing(Journal(path)) as journal:
        journal.check()
        saved = journal.open_match()
    assert saved is not None
    assert len(saved.entries) >= 3
    assert (saved.seal != b"") == (kind.rpartition("/")[2] in ("hexel", "knee-deep"))


@pytest.mark.parametrize("kind", KINDS)
def test_its_recording_says_what_the_journal_had(kind: str, tmp_path: Path) -> None:
    """The link as docs/contracts.md makes it: the journal's own, where nothing was hidden."""
    (recording,) = (KEPT / kind).glob("recordings/*.mcap")
    *_, last = (json.loads(one.payload) for one in read(recording) if one.topic == "chain")
    (said,) = claims(recording.parent)
    assert (said.n, said.entries, said.link) == (last["n"], last["entries"], last["chain"])
    (path,) = shutil.copytree(KEPT / kind, tmp_path / "state").glob("*.db")
    with closing(Journal(path)) as journal:
        saved = journal.open_match()
    assert saved is not None
    assert len(saved.entries) == said.entries
    if not saved.seal:
        link = ""
        for entry in saved.entries:
            link = blake2b(f"{link} {entry}".encode(), digest_size=16).hexdigest()
        assert said.link == link


@pytest.mark.parametrize("name", ["hextraction", "knee-deep"])
def test_a_match_of_a_version_that_is_still_read_goes_on(name: str) -> None:
    game = registry.find(name)
    board = load(find(game.board({})))
    for version in (game.rules(), *game.earlier_rules()):
        begun = Start("m", board.name, board.hash, name, version, {}, "0.1.0")
        assert goes_on(begun, game, board)
    other = Start("m", board.name, board.hash, name, "another", {}, "0.1.0")
    assert not goes_on(other, game, board)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_played_on(kind: str, tmp_path: Path) -> None:
    """Two more moves, by hexboard itself: all that was final stands before them."""
    game = kind.rpartition("/")[2]
    evening = Evening(tmp_path, game, random.Random(3))
    shutil.copytree(KEPT / kind, evening.state)
    with closing(Journal(evening.state / f"{game}.db")) as journal:
        saved = journal.open_match()
    assert saved is not None
    with evening.begun() as (_, page):
        assert not page.state["notices"]
        assert page.state["match"] == saved.match
        evening.move(page)
        evening.move(page)
    found = evening.journal(saved.match)
    assert tuple(found[: len(saved.entries)]) == saved.entries
    assert len(found) > len(saved.entries)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_its_recording_is_replayed_to_the_same_rulings(kind: str) -> None:
    (recording,) = (KEPT / kind).glob("recordings/*.mcap")
    done = hexboard("replay", recording)
    assert done.returncode == 0, done.stdout
    assert "the same rulings" in done.stdout
