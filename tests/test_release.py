"""What `make release` writes down, and what it refuses; and that a checkout's lock is whole."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.release import Refused, licences, not_free, write_down
from tests.test_install import HERE, locked

LOG = "# Changelog\n\n## [Unreleased]\n\n- A thing.\n\n## [0.9.0] - 2026-01-02\n\n- Another.\n"
PROJECT = '[project]\nname = "hexboard"\nversion = "0.9.0"\n\n[other]\nversion = "1"\n'

FIRMWARE = 'PROTOCOL = 1\nFIRMWARE = b"hexboard 0.9.0"\n\nHELLO = 1\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "CHANGELOG.md").write_text(LOG, "utf-8")
    (tmp_path / "pyproject.toml").write_text(PROJECT, "utf-8")
    (tmp_path / "firmware").mkdir()
    (tmp_path / "firmware" / "main.py").write_text(FIRMWARE, "utf-8")
    return tmp_path


def test_what_was_unreleased_is_the_releases(checkout: Path) -> None:
    write_down(checkout, "1.0.0", "2026-11-24")
    assert (checkout / "CHANGELOG.md").read_text("utf-8") == LOG.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [1.0.0] - 2026-11-24\n"
    )
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))
    assert project == {
        "project": {"name": "hexboard", "version": "1.0.0"},
        "other": {"version": "1"},
    }
    firmware = (checkout / "firmware" / "main.py").read_text("utf-8")
    assert firmware == FIRMWARE.replace("0.9.0", "1.0.0")


def test_the_firmware_has_the_number_of_the_package() -> None:
    """A Pico says by it which hexboard it is of."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    firmware = (HERE / "firmware" / "main.py").read_text("utf-8")
    assert f'\nFIRMWARE = b"hexboard {project["version"]}"\n' in firmware


@pytest.mark.parametrize("number", ["0.9.0", "1.0", "v1.0.0"])
def test_a_number_that_cannot_be_is_refused_and_nothing_written(
    checkout: Path, number: str
) -> None:
    with pytest.raises(Refused):
        write_down(checkout, number, "2026-11-24")
    assert (checkout / "CHANGELOG.md").read_text("utf-8") == LOG
    assert (checkout / "pyproject.toml").read_text("utf-8") == PROJECT
    assert (checkout / "firmware" / "main.py").read_text("utf-8") == FIRMWARE


def test_a_licence_that_nobody_knows_is_looked_at() -> None:
    said = {"a": "MIT", "b": "Apache-2.0 OR BSD-3-Clause", "c": "", "d": "Proprietary", "e": "?"}
    assert not_free(said) == ["d (Proprietary)", "e (?)"]


def test_all_that_is_installed_on_a_pi_is_free_as_far_as_it_is_here() -> None:
    names = list(locked("lock.txt", "lock-camera.txt"))
    under = licences(names)
    assert under["click"] == "BSD-3-Clause"
    assert len([name for name in names if under[name]]) > len(names) / 2
    assert not not_free(under)


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_a_checkout_installs_versions_that_are_written_down(python: str) -> None:
    """For each Python one, of all that pyproject.toml names for a laptop."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"]]
    for extra in ("simulate", "vision", "archive", "firmware", "test", "browser"):
        wanted += [it for it in extras[extra] if not it.startswith("hexboard[")]
    lock = locked("../tests/lock.txt")
    here = {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "platform_machine": "x86_64",
        "sys_platform": "linux",
    }
    for one in map(Requirement, wanted):
        if one.marker is None or one.marker.evaluate(here):
            has = lock[canonicalize_name(one.name)]
            (fits,) = [it for it in has if it.marker is None or it.marker.evaluate(here)]
            assert next(iter(fits.specifier)).version in one.specifier, one


def test_what_is_in_the_public_domain_is_free() -> None:
    assert not_free({"lgpio": "unlicense.org", "other": "Proprietary"}) == ["other (Proprietary)"]
