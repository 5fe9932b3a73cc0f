"""Parsers fed with what nobody would send (tests/fuzz): they take it, or refuse it in words."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.__main__ import CORPUS, HERE, fault, main
from tests.fuzz.targets import Target, targets

FOUND = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_was_found_is_taken_or_refused_in_words(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    target = next(it for it in targets(tmp_path) if it.name == path.parent.name)
    assert fault(target, path.read_bytes(), 60)[1] == ""


def test_what_is_wrong_or_never_ends_is_a_fault() -> None:
    def reads(data: bytes) -> str:
        while data == b"ever":
            pass
        return ("good", "better")[data[0]]

    target = Target("reads", (b"\0",), reads)
    assert fault(target, b"\1", 0.2) == ("better", "")
    assert "IndexError" in fault(target, b"\2", 0.2)[1]
    assert "more than 0.2 s" in fault(target, b"ever", 0.2)[1]


def test_a_parser_that_nobody_knows_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "nothing"]) == 2
    assert capsys.readouterr().err == "no parser is called nothing\n"


@pytest.mark.long
def test_hundreds_of_inputs_bring_no_parser_down(tmp_path: Path) -> None:
    words = ("-m", "tests.fuzz", "--rounds", "150", "--keep", str(tmp_path))
    done = subprocess.run([sys.executable, *words], cwd=HERE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "0 faults"
