"""The first start in a terminal asks who may open the page, once; nobody else is asked."""

import os
import pty
import subprocess
from pathlib import Path

import numpy
import pytest

from hexboard.daemon.greeting import for_phones, found_at, hotspot, where
from hexboard.settings import WebSettings, load
from hexboard.web import reach
from hexboard.web.reach import Reach
from hexboard.words import say
from tests import codes
from tests.running import HEXBOARD, PATIENCE


def started(home: Path, state: Path, answer: str) -> str:
    """What a terminal shows until hexboard runs; this is typed where it asks."""
    ours, theirs = pty.openpty()
    asked = ["--home", str(home), "run", "--port", "0", "--state", str(state)]
    with subprocess.Popen(
        [*HEXBOARD, *asked], stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    ) as process:
        os.close(theirs)
        shown = b""
        while b"Ctrl-C" not in shown:
            shown += os.read(ours, 4096)
            if b"1, 2 or 3" in shown and answer:
                os.write(ours, answer.encode())
                answer = ""
        process.terminate()
        process.wait(PATIENCE)
    os.close(ours)
    return shown.decode()


STAND_IN = '#!/bin/sh\nprintf "%s," "$@" >> "$SAID"\necho >> "$SAID"\n'
LIGHT = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
"""Of the upper and the lower half of a letter."""


def test_what_is_to_be_run_for_a_hotspot_can_be_run_and_its_code_joins_it(tmp_path: Path) -> None:
    """By a shell with stand-ins for sudo and nmcli, whose words are those of nmcli(1); the code by
    OpenCV's reader."""
    cv2 = pytest.importorskip("cv2")
    told, code = hotspot()
    said, stand_in = tmp_path / "said", tmp_path / "sudo"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    lines = [line for line in told.splitlines() if line.startswith("  sudo ")]
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SAID": str(said)}
    subprocess.run(["sh", "-ec", "\n".join(lines)], env=path, check=True, timeout=PATIENCE)
    name = reach.name()[:32]
    password = lines[0].split()[-1]
    assert said.read_text().splitlines() == [
        f"nmcli,device,wifi,hotspot,con-name,hexboard-wifi,ssid,{name},password,{password},",
        "nmcli,connection,modify,hexboard-wifi,connection.autoconnect,yes,",
    ]
    assert 8 <= len(password) <= 63  # WPA's
    assert password != hotspot()[0].split("password ")[1].split()[0]
    rows = [[LIGHT[letter] for letter in line] for line in code.splitlines()]
    halves = [[255 * both[half] for both in row] for row in rows for half in (0, 1)]
    picture = numpy.kron(numpy.array(halves, numpy.uint8), numpy.ones((8, 8), numpy.uint8))
    joins = codes.read(cv2, picture)
    assert joins == f"WIFI:T:WPA;S:{name};P:{password};;"


def test_where_the_hotspot_is_the_only_network_phones_are_shown_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reach, "NOWHERE", "255.255.255.255")  # the kernel refuses
    assert reach.address() != "127.0.0.1"
    monkeypatch.setattr(reach, "HOTSPOT", "127.0.0.1")
    assert reach.address() == "127.0.0.1"


def test_without_a_router_the_address_of_an_interface_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A cable between two computers, or an access point alone: by `hostname -I`."""
    for way in ("NOWHERE", "HOTSPOT"):
        monkeypatch.setattr(reach, way, "255.255.255.255")  # the kernel refuses
    told = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=True).stdout
    assert reach.address() in (
        [it for it in told.split() if "." in it] or [f"{reach.name()}.local"]
    )


def test_without_any_network_no_link_is_shown_to_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    """One with a name was, which nobody answers for, and was said to last."""
    monkeypatch.setattr(reach, "address", lambda: f"{reach.name()}.local")
    links = where(Reach(network=True), 8765, "x", "123456")
    [told] = for_phones(links, seen=True)
    assert told.startswith("Phones cannot open it, for this computer is in no network ")
    assert say(found_at(WebSettings())[1]) == told


@pytest.mark.long
def test_the_first_start_asks_who_may_open_the_page_and_the_second_does_not(
    tmp_path: Path,
) -> None:
    home, state = tmp_path / "home", tmp_path / "state"
    first = started(home, state, "3\n")
    assert "sudo nmcli device wifi hotspot" in first
    assert "Who may open the board's page?" in first
    here = reach.networked(reach.address())
    phones = "From a phone in the same network" if here else "Phones cannot open it"
    assert phones in first
    assert load(home / "settings.toml").web.lan
    second = started(home, state, "")
    assert "Who may open" not in second
    assert phones in second
