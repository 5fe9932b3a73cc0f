"""A hall that plays by itself: a NATS server of its own, and boards that are simulated.

Everything lies in a temporary folder and ends with the command.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from hexboard.daemon.greeting import LINK
from hexboard.game import registry
from hexboard.settings import HubSettings
from hexboard.words import message, say
from hexboard.words.errors import HexboardError

SPEED = 2
WAITS_S = 20.0
"""So long a server may take to listen, and a board to end."""
ENDS_S = 10.0
LOOKS_S = 5.0
"""So often it is looked whether a game is over."""


@contextlib.contextmanager
def simulated(
    count: int, echo: Callable[[str], None]
) -> Iterator[tuple[HubSettings, dict[str, str], Path]]:
    """So many boards that play by themselves, while this is open: where they tell it, links for
    spectators by name, as soon as there are any, and a folder for the wall. Raises
    `HexboardError`."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hexboard-hall-")))
        of = HubSettings(stack.enter_context(nats_server(folder)))
        echo(f"{say(message('wall.simulated', count=count))}\n  {of.url}")
        links = dict[str, str]()
        boards: list[subprocess.Popen[bytes]] = []
        stack.callback(_end, boards)
        stack.callback(_begun_anew(folder, links).set)
        games = registry.usable()
        for number in range(count):
            boards.append(_board(folder, number + 1, games[number % len(games)], of))
        yield of, links, folder / "hub"


@contextlib.contextmanager
def nats_server(folder: Path) -> Iterator[str]:
    """A NATS server with JetStream, at a free port of this computer, that keeps what it has in a
    folder; its address. Raises `HexboardError` where there is none, or it does not start."""
    program = shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        raise HexboardError("wall.no_server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = (
        *_tied(),
        program,
        "-js",
        "-sd",
        str(folder / "nats"),
        "-a",
        "127.0.0.1",
        "-p",
        str(port),
    )
    with open(folder / "nats.log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        _listens(process, port)
        yield f"nats://127.0.0.1:{port}"
    finally:
        _end([process])


def _listens(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + WAITS_S
    while process.poll() is None and time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise HexboardError("wall.server_failed", code=process.poll() or 0)


def _board(folder: Path, number: int, game: str, of: HubSettings) -> "subprocess.Popen[bytes]":
    """A board of its own process, as `hexboard run` starts it; it hears no Ctrl-C, and is ended."""
    name = f"board-{number:02}"
    home = folder / name
    home.mkdir()
    settings = f'[hub]\nurl = "{of.url}"\nname = "{name}"\n'
    (home / "settings.toml").write_text(settings, "utf-8")
    words = ("run", "--simulate", "--watch", "--game", game, "--seed", str(number))
    more = ("--speed", str(SPEED), "--port", "0", "--state", str(home / "state"))
    with open(home / "log.txt", "wb") as log:
        return subprocess.Popen(
            [*_tied(), sys.executable, "-P", "-m", "hexboard", "--home", str(home), *words, *more],
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _tied() -> tuple[str, ...]:
    """What has a process end when this one ends, even by `kill -9`, where there is such a thing."""
    setpriv = shutil.which("setpriv")  # of Linux
    return (setpriv, "--pdeathsig", "TERM") if setpriv else ()


def _begun_anew(folder: Path, links: dict[str, str]) -> threading.Event:
    """Has each board begin another game once one is over, until the event is set; `links` get those
    of spectators, by the board's name."""
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(LOOKS_S):
            for file in folder.glob(f"*/state/{LINK}"):
                with contextlib.suppress(OSError, ValueError, WebSocketException):
                    led = json.loads(file.read_bytes())
                    links[file.parts[-3]] = led["board"]
                    _play_on(led["here"])

    threading.Thread(target=look, name="again", daemon=True).start()
    return ended


def _play_on(link: str) -> None:
    """Begin another game on the board with this link, where one is over. Raises `OSError`,
    `ValueError`, `WebSocketException` where it cannot be asked."""
    here, _, query = link.partition("/?")
    with urlopen(f"{here}/api/state?{query}", timeout=WAITS_S) as answer:
        if json.load(answer)["phase"] != "over":
            return
    with connect(f"{here.replace('http', 'ws', 1)}/live?{query}", origin=Origin(here)) as page:
        for said in ({"type": "new"}, {"type": "watch", "on": True}):
            page.send(json.dumps(said))
            page.recv(WAITS_S)


def _end(processes: "list[subprocess.Popen[bytes]]") -> None:
    """End them, and wait: their folder goes next."""
    for process in processes:
        process.terminate()
    until = time.monotonic() + ENDS_S
    for process in processes:
        try:
            process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
