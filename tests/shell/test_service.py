"""The service, under systemd itself: a manager of one's own services, in name spaces of the test.

`/run` and the control group are the test's; nothing of this computer's own systemd is touched.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hexboard.daemon.greeting import LINK
from tests.running import PATIENCE, Served, eventually

HARDWARE = Path(__file__).parents[2] / "hardware"
MANAGER = Path("/usr/lib/systemd/systemd")
WATCHDOG_S = 8
SIMULATED = "run --simulate --port 0 --game hexalma"

needs_systemd = pytest.mark.skipif(
    not MANAGER.exists() or os.geteuid() != 0, reason="needs systemd, and root for name spaces"
)

BEGIN = f"""
groups=/sys/fs/cgroup/systemd
[ -d $groups ] || groups=/sys/fs/cgroup
mkdir -p $groups/$1 && echo $$ >$groups/$1/cgroup.procs
mount -t tmpfs none /run && mkdir -p -m 700 /run/systemd/system "$XDG_RUNTIME_DIR"
{MANAGER} --user --log-target=console &
manager=$!
while read -r line; do eval "$line" </dev/null; echo "= $?"; done
kill $manager
wait
echo $$ >$groups/cgroup.procs  # who is in a group cannot remove it
find $groups/$1 -depth -type d -exec rmdir {{}} + 2>/dev/null || true
"""
"""A manager, and commands in its surroundings, a line each; after each its exit status."""


class Manager:
    """systemd as it looks after the services of somebody whose home is `home`."""

    def __init__(self, home: Path) -> None:
        self.log = (home / "log").open("w+", encoding="utf-8")
        own = {"HOME": str(home), "XDG_RUNTIME_DIR": "/run/user", "PATH": os.environ["PATH"]}
        self.process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", BEGIN, "sh", f"hexboard-{os.getpid()}"],
            env=own,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
        )

    def ask(self, command: str) -> tuple[int, str]:
        """Exit status of a command, and what it printed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        lines = []
        while not (line := self.process.stdout.readline()).startswith("= "):
            assert line, self.said
            lines.append(line)
        return int(line[2:]), "".join(lines)

    def show(self, name: str) -> str:
        """A property of the service."""
        return self.ask(f"systemctl --user show --property {name} --value hexboard")[1].strip()

    def anew(self, pid: int) -> bool:
        """Whether the service is another process than that one."""
        return self.show("MainPID") not in (str(pid), "0")

    @property
    def said(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def close(self) -> None:
        self.process.communicate(timeout=PATIENCE)
        self.log.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    """With the service as it is installed, of a board that is simulated; its watchdog is sooner."""
    unit = (HARDWARE / "hexboard.service").read_text("utf-8")
    assert "WatchdogSec=60\n" in unit
    unit = unit.replace("WatchdogSec=60\n", f"WatchdogSec={WATCHDOG_S}\nStandardError=inherit\n")
    unit = unit.replace("%h/hexboard/bin/hexboard run", f"{sys.executable} -m hexboard {SIMULATED}")
    services = tmp_path / ".config" / "systemd" / "user"
    services.mkdir(parents=True)
    (services / "hexboard.service").write_text(unit, "utf-8")
    running = Manager(tmp_path)
    eventually(lambda: running.ask("systemctl --user list-units")[0] == 0, 0.2)
    try:
        yield running
    finally:
        running.ask("systemctl --user stop hexboard")
        running.close()


def served(home: Path) -> Served:
    """The page of the board of that person, as they find it."""
    (link,) = home.glob(f".local/state/hexboard/*/{LINK}")
    return Served(json.loads(link.read_bytes())["here"])


def heeds(pid: int, number: signal.Signals) -> bool:
    """Whether a process does something of its own about a signal."""
    found = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text("ascii"))
    return bool(found and int(found[1], 16) >> (number - 1) & 1)


def cells(state: dict[str, Any]) -> set[str]:
    """Where pieces lie."""
    return {piece[0] for piece in state["pieces"]}


@pytest.mark.long
@needs_systemd
def test_it_comes_up_begins_anew_when_it_hangs_or_is_killed_and_stops_when_asked(
    manager: Manager, tmp_path: Path
) -> None:
    """With a firmware, a journal and pages, in all that the service forbids itself."""
    status, said = manager.ask("systemctl --user start hexboard 2>&1")
    assert status == 0, said + manager.said
    pid = int(manager.show("MainPID"))
    held = Path(f"/proc/{pid}/status").read_text("ascii")
    assert "NoNewPrivs:\t1\n" in held
    assert "Seccomp:\t2\n" in held
    with served(tmp_path).page() as page:
        page.send("declare", seat=-1, action="a1-b1")
        page.until(lambda state: "a1" not in cells(state) and state["log"][0]["final"])
        match, pieces = page.state["match"], page.state["pieces"]
    for number, how in enumerate((signal.SIGSTOP, signal.SIGKILL), 1):  # it hangs; it is no more
        pid = int(manager.show("MainPID"))
        os.kill(pid, how)
        eventually(partial(manager.anew, pid), 0.5)
        eventually(lambda: manager.show("SubState") == "running", 0.5)
        assert manager.show("NRestarts") == str(number)
        with served(tmp_path).page() as page:
            assert (page.state["match"], page.state["pieces"]) == (match, pieces)
    assert manager.ask("systemctl --user stop hexboard")[0] == 0
    assert manager.show("Result") == "success"


@pytest.mark.long
@needs_systemd
def test_stopped_while_it_still_starts_it_has_not_failed(manager: Manager) -> None:
    assert manager.ask("systemctl --user start --no-block hexboard")[0] == 0
    eventually(lambda: manager.show("MainPID") != "0", 0.02)
    pid = int(manager.show("MainPID"))
    eventually(partial(heeds, pid, signal.SIGTERM), 0.01)
    assert manager.show("SubState") == "start"
    assert manager.ask("systemctl --user stop hexboard")[0] == 0
    assert manager.show("Result") == "success"


@pytest.mark.parametrize("unit", ["hexboard.service", "hexboard@.service"])
def test_a_start_that_a_signal_ended_is_no_failure(unit: str) -> None:
    """It ends as docs/commands.md says: by SIGHUP, Ctrl-C and SIGTERM."""
    assert "SuccessExitStatus=129 130 143" in (HARDWARE / unit).read_text("utf-8").splitlines()


@pytest.mark.parametrize(("unit", "most"), [("hexboard.service", 6.5), ("hexboard@.service", 3)])
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
@pytest.mark.long
def test_how_much_each_service_lays_bare(unit: str, most: float, tmp_path: Path) -> None:
    """As systemd counts it, from 0 to 10. Of one's own services most of it is what no such service
    can give up, and has not: capabilities."""
    file = tmp_path / unit.replace("@", "@board")
    shutil.copy(HARDWARE / unit, file)
    asked = ("systemd-analyze", "security", "--offline=true", "--json=short", "--no-pager")
    told = subprocess.run([*asked, file], capture_output=True, text=True, check=True)
    bare = sum(float(one["exposure"] or 0) for one in json.loads(told.stdout))
    assert bare > 0
    limit = f"--threshold={round(10 * most)}"
    done = subprocess.run([*asked[:3], limit, file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-200:]


def test_a_board_of_its_own_has_a_folder_of_its_own() -> None:
    """Settings, calibrations and recordings of two boards on one Pi never meet."""
    lines = (HARDWARE / "hexboard@.service").read_text("utf-8").splitlines()
    assert "StateDirectory=hexboard/%i" in lines
    assert "Environment=HOME=%S/hexboard/%i" in lines
