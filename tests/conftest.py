"""What every test may use; and with HEXBOARD_NO_SKIPS set, a skipped test fails the run."""

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.running import Running

# A deadline would time the machine; the blob makes what failed fail again.
hypothesis.settings.register_profile("hexboard", deadline=None, print_blob=True)
hypothesis.settings.load_profile("hexboard")

# What is expected is English, whatever who works on hexboard speaks.
os.environ["LC_ALL"] = "C.UTF-8"

# Tests run side by side: OpenCV's own threads would only wait for one another.
for threads in ("OPENCV_FOR_THREADS_NUM", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# Blinka finds out once a process on what it runs: here on nothing that has pins.
os.environ["BLINKA_OS_AGNOSTIC"] = "1"

# Garbage is looked for at each 50,000th object that is made, not at each 700th: parsing our own
# source takes a third of the time then, and all tests a twentieth less.
gc.set_threshold(50_000, 20, 50)

NO_SKIPS = bool(os.environ.get("HEXBOARD_NO_SKIPS"))
skipped: list[str] = []

for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:  # nohup, or in the background of a script:
        signal.signal(number, lambda *_: None)  # what a test starts would ignore it as well


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        skipped.append(report.nodeid)


def pytest_collection_finish() -> None:
    """What is there now stays: garbage is not looked for in it at each turn."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if NO_SKIPS and skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if NO_SKIPS and skipped:
        names = ", ".join(skipped)
        terminalreporter.write_line(f"HEXBOARD_NO_SKIPS is set, but skipped: {names}", red=True)


@pytest.fixture
def speed() -> float:
    """How many times faster than real balls those of a simulated board roll."""
    return 20


@pytest.fixture
def settle_ms() -> int:
    """How long a roll is waited for at this speed."""
    return 200


@pytest.fixture
def home(tmp_path: Path, settle_ms: int) -> Path:
    """A person's own files: settings under which rolls end quickly."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "settings.toml").write_text(f"settle_ms = {settle_ms}\n", "utf-8")
    return folder


@pytest.fixture
def start(tmp_path: Path, home: Path, speed: float) -> Iterator[Callable[..., Running]]:
    """`start(*arguments)` runs a simulated board at high speed, in the same folder each time: with
    Hextraction where no board or game is named, unless it is the `front` door that is wanted."""
    started: list[Running] = []

    def run(
        *arguments: object, simulate: bool = True, speed: float = speed, front: bool = False
    ) -> Running:
        simulation = ("--simulate", "--speed", speed) if simulate else ()
        chosen = front or "--game" in arguments or not str(arguments[:1]).startswith(("()", "('--"))
        game = () if chosen else ("--game", "hextraction")
        port = () if "--port" in arguments else ("--port", 0)
        started.append(
            Running(tmp_path / "state", *simulation, *game, *port, *arguments, home=home)
        )
        return started[-1]

    yield run
    for running in started:
        running.end()
