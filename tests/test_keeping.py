"""Files are put there whole: links, modes and what was there before stay."""

import errno
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hexboard import files
from hexboard.calibration import versions
from hexboard.commands.calibrate.wiring import _written
from hexboard.record.trf import write_trf

MODES: dict[str, tuple[Callable[[Path, bytes], None], int, int]] = {
    "private": (files.keep, 0o600, 0o600),
    "asked for": (files.whole, 0o644, 0o664),
    "a game": (partial(files.keep, new=0o600), 0o600, 0o664),
    "a calibration": (versions.write, 0o644, 0o664),
    "a tournament": (lambda path, data: write_trf(path, data.decode()), 0o644, 0o664),
}
"""How each is written, the mode of a new one (umask 022), and that of one that had 664."""


@pytest.mark.parametrize("how", MODES)
def test_a_file_keeps_its_link_and_who_may_read_it(tmp_path: Path, how: str) -> None:
    write, new, kept = MODES[how]
    real, link, fresh = tmp_path / "there" / "real", tmp_path / "link", tmp_path / "fresh"
    real.parent.mkdir()
    real.write_bytes(b"before")
    real.chmod(0o664)
    link.symlink_to(real)
    umask = os.umask(0o022)
    try:
        write(link, b"after")
        write(fresh, b"new")
    finally:
        os.umask(umask)
    assert link.is_symlink()
    assert real.read_bytes() == b"after"
    assert real.stat().st_mode & 0o777 == kept
    assert fresh.stat().st_mode & 0o777 == new
    assert [*tmp_path.rglob("*.part")] == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
def test_a_file_keeps_its_owner_and_group(tmp_path: Path) -> None:
    """Who runs hexboard by sudo, and a group that shares a tournament."""
    path = tmp_path / "t.trf"
    path.write_bytes(b"before")
    os.chown(path, 65534, 100)
    write_trf(path, "after")
    assert (path.stat().st_uid, path.stat().st_gid) == (65534, 100)


def test_a_file_that_may_not_be_written_to_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.svg"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "access", lambda at, how: (Path(at), how) != (path, os.W_OK))  # root
    with pytest.raises(PermissionError, match=r"x\.svg"):
        files.whole(path, b"after")
    assert path.read_bytes() == b"before"


@pytest.mark.parametrize(("before", "after"), [(b"before", b"longer than that"), (b"before", b"x")])
def test_a_file_that_may_be_written_to_is_written_where_its_folder_is_somebody_elses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes, after: bytes
) -> None:
    """It was refused, with nothing said of the folder."""

    def refuse(path: Path, _: Path) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path))

    path, fresh = tmp_path / "x.svg", tmp_path / "y.svg"
    path.write_bytes(before)
    monkeypatch.setattr(Path, "replace", refuse)
    files.whole(path, after)
    assert path.read_bytes() == after
    with pytest.raises(PermissionError, match=r"y\.svg"):
        files.whole(fresh, after)
    assert [*tmp_path.iterdir()] == [path]


def test_a_calibration_that_somebody_else_owns_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made with sudo once: half an hour of measuring is not to end in a refusal."""
    path = tmp_path / "b.json"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "access", lambda at, how: (Path(at), how) != (path, os.W_OK))  # root
    versions.replace(path, b"after")
    assert path.read_bytes() == b"after"
    assert versions.earlier(path, 1).read_bytes() == b"before"


def test_what_a_person_answered_for_half_an_hour_lasts_through_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board file of `hexboard calibrate wiring` was left to the system's own time."""
    synced: list[int] = []
    monkeypatch.setattr(files, "_fsync", synced.append)
    nobody: Any = None  # is asked nothing where no file is there
    assert _written(tmp_path / "boards" / "b.toml", "x = 1\n", nobody, [], None)
    assert len(synced) == 2  # the file, and its folder


def test_a_full_disk_names_the_file_that_was_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a first start it was told as `hexboard: No space left on device`."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "_fsync", full)
    with pytest.raises(OSError, match="No space left") as told:
        files.keep(tmp_path / "token", b"x")
    assert told.value.filename == str(tmp_path / "token")
