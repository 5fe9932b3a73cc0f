"""HEXBOARD_NO_SKIPS: where everything must run, a test that was skipped is a test that failed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
SKIPPING = {
    "test_mark.py": "import pytest\n@pytest.mark.skip\ndef test_a(): pass\n",
    "test_call.py": "import pytest\ndef test_b(): pytest.skip('later')\n",
    "test_module.py": "import pytest\npytest.importorskip('nothing_of_that_name')\n",
}


def outcome(folder: Path, setting: str, *arguments: str) -> tuple[int, str]:
    """Exit status of pytest on a folder, and what it says of skips."""
    command = (sys.executable, "-m", "pytest", "-p", "tests.conftest", "--rootdir", folder)
    done = subprocess.run(
        [*command, *arguments, folder],
        capture_output=True,
        text=True,
        cwd=HERE,
        env=os.environ | {"HEXBOARD_NO_SKIPS": setting, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        check=False,
    )
    told = [line for line in done.stdout.splitlines() if "HEXBOARD_NO_SKIPS" in line]
    return done.returncode, "".join(told)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="one"),
        pytest.param(("-p", "xdist", "-n", "1"), id="workers", marks=pytest.mark.long),
    ],
)
def test_a_skipped_test_fails_the_run_and_is_named(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "test_good.py").write_text("def test_c(): pass\n", "utf-8")
    assert outcome(tmp_path, "1", *arguments) == (0, "")
    for name, body in SKIPPING.items():
        (tmp_path / name).write_text(body, "utf-8")
    status, told = outcome(tmp_path, "1", *arguments)
    assert status == 1
    assert all(name in told for name in SKIPPING)
    assert "test_good" not in told


@pytest.mark.long
def test_elsewhere_a_test_may_be_skipped(tmp_path: Path) -> None:
    for name, body in SKIPPING.items():
        (tmp_path / name).write_text(body, "utf-8")
    assert outcome(tmp_path, "") == (0, "")
