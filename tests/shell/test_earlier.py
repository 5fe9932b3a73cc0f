"""What a service of the system kept before it went where every command looks for it."""

import contextlib
import json
from pathlib import Path

import pytest

from hexboard import files
from hexboard.commands.doctor.checked import Checked
from hexboard.commands.doctor.matches import before
from hexboard.daemon.greeting import LINK, Where
from hexboard.daemon.lock import lock
from hexboard.record.journal import Journal
from hexboard.web import keys
from tests.cli import invoke

NAME = "hextraction-22"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a service of the system, as its unit says it."""
    folder = tmp_path / "left"
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


def said(*words: str) -> str:
    done = invoke(*words)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.stdout


def starts(*more: str) -> str:
    return said("run", NAME, "--simulate", "--fast", "--turns", "1", *more)


def kept(folder: Path, match: str) -> None:
    """A match stands in that folder."""
    folder.mkdir(parents=True)
    journal = Journal(folder / "hextraction.db")
    journal.begin(match, b"{}")
    journal.close()


def matches(folder: Path) -> list[str]:
    found = []
    for path in sorted(folder.glob("*.db")):
        journal = Journal(path)
        found += [saved.match for saved in [journal.open_match()] if saved]
        journal.close()
    return found


def seen() -> list[Checked]:
    """What the doctor sees of it."""
    return list(before(NAME, files.state() / NAME))


def test_what_a_service_kept_before_is_moved_to_where_it_is_looked_for(service: Path) -> None:
    was, now = service / NAME, service / ".local/state/hexboard" / NAME
    kept(was, "m-before")
    (was / "recordings").mkdir()
    (found,) = seen()
    assert found.state == "look"
    assert found.todo.endswith(f"mkdir -p {now.parent} && mv {was} {now}")
    assert f"What was kept in {was} is now in {now}" in starts()
    assert not was.exists()
    assert (now / "recordings").is_dir()
    assert "m-before" in matches(now)
    assert seen() == []
    assert "What was kept" not in starts()


def test_where_something_was_played_since_people_are_told_how_to_have_either(service: Path) -> None:
    was, now = service / NAME, service / ".local/state/hexboard" / NAME
    kept(was, "m-before")
    kept(now, "m-since")
    told = starts()
    assert f"mv {now} {now}.since && mv {was} {now}" in told
    assert "m-before" in matches(was)
    checks = json.loads(said("doctor", NAME, "--json"))["checks"]
    (found,) = (one for one in checks if one["check"] == "matches")
    assert str(was) in found["said"]
    assert f"mv {now} {now}.since && mv {was} {now}" in found["todo"]


def test_only_a_service_moves_anything_and_not_for_a_folder_that_somebody_named(
    service: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = service / NAME
    kept(was, "m-before")
    starts("--state", str(service / "elsewhere"))
    monkeypatch.delenv("STATE_DIRECTORY")
    starts()
    assert matches(was) == ["m-before"]
    assert seen()  # with that HOME, as the guide has it


def test_what_stands_where_it_is_looked_for_is_not_told_of(
    service: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a unit of one's own has it, with `StateDirectory=hexboard` and XDG_STATE_HOME=/var/lib."""
    monkeypatch.setenv("XDG_STATE_HOME", str(service))
    monkeypatch.setenv("STATE_DIRECTORY", str(service / "hexboard"))
    kept(service / "hexboard" / NAME, "m-before")
    assert seen() == []


def test_what_a_simulation_plays_is_kept_apart_and_its_link_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    real, simulated = tmp_path / "hexboard" / NAME, tmp_path / "hexboard" / f"{NAME}-simulated"
    kept(real, "m-real")
    before = sorted(real.rglob("*"))
    starts()
    assert sorted(real.rglob("*")) == before
    assert list((simulated / "recordings").glob("*.mcap"))
    with contextlib.ExitStack() as running:
        for folder, port in ((simulated, 1), (real, 2)):  # the real board's, where both run
            running.enter_context(lock(folder / "lock", NAME))
            keys.lend(folder / LINK, Where(f"http://127.0.0.1:{port}/", "", ""))
            assert f"127.0.0.1:{port}/" in said("link", NAME)
