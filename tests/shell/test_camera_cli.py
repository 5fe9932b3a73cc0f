"""`hexboard run --camera`: a game refereed by a camera, and what keeps a camera from it."""

import base64
import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from itertools import count, repeat
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from hexboard.appearance import KIT, Lying
from hexboard.board import find, load
from hexboard.calibration import colours, lens_file, store
from hexboard.commands.calibrate.colours import _fresh, pressed
from hexboard.daemon.camera import DIP_S
from hexboard.game import registry
from hexboard.games import hexalma
from hexboard.record.recording import Recorder, read
from hexboard.record.schemas import encoded
from hexboard.simulator.camera.canvas import Glare
from hexboard.simulator.camera.render import Hand, view
from hexboard.simulator.camera.tabletop import MODERATE, Tabletop
from hexboard.simulator.twin import Twin
from hexboard.vision.cells.colours import Palette, asked, dressed
from hexboard.vision.cells.reading import Reader
from hexboard.vision.frame import Frame
from hexboard.vision.geometry import Camera, project
from hexboard.vision.pose.lens import Lens
from hexboard.vision.shot import Shot, differing, reread, taken
from hexboard.words import message
from tests.cli import invoke
from tests.looking import laid, looks, lying
from tests.mjpeg import MjpegServer, part
from tests.running import HEXBOARD, PATIENCE, Page, Running, alive, eventually, hexboard
from tests.web.test_theatre import data

BOARD = load(find("hexhex-5"))
CAMERA, PLACE = view(BOARD)
MOVE, *OTHERS = "b3-c3", "h3-g3", "b4-c4", "h4-g4"
PACE = 1 / 15
GLOW = (0.5, 0.3, 0.9)
LIT = ("b3", "c3", "e5", "h2")
GREEN_RED = colours.Colours(
    *(1, "hexhex-5", "hexalma", "2026-11-21T12:00:00+0000"),
    {"ground": (0.45, 0.5, 0.52), "black": (0.05, 0.06, 0.45), "white": (0.1, 0.38, 0.08)},
    {"black": (0.3, 0.3, 0.3), "white": (0.3, 0.3, 0.3)},
    ("black", "white"),
    9.0,
)
"""Learned: red discs for black, green ones for white, on a grey mat."""


class Stream:
    """An MJPEG stream over http of a table that is played at."""

    def __init__(self, port: int = 0) -> None:
        self.position: Any = registry.find("hexalma").start(BOARD, {})
        self.top = Tabletop(BOARD, CAMERA, PLACE, 1, MODERATE)
        self.strip: list[tuple[float, bool]] = []
        """When the strip was written, and whether anything shone."""
        self.show()
        self.closed = threading.Event()
        self.server = MjpegServer(self._send, port)
        self.port, self.url = self.server.port, self.server.url

    def _send(self, write: Callable[[bytes], object]) -> None:
        while not self.closed.wait(PACE):
            write(next(self.frames))

    def show(self, hand: Hand | None = None) -> None:
        """From now on the pictures show the position, perhaps under a hand, and lights where the
        strip shines."""
        self.lay(lying(self.position, BOARD), hand)

    def lay(self, things: dict[str, Lying], hand: Hand | None = None) -> None:
        """The same of a board on which these things lie."""
        self.top.put(things)
        dark, lit = self.drawn(hand, ()), self.drawn(hand, LIT) if self.strip else []

        def frames() -> Iterator[bytes]:
            for k in count():
                pictures = lit if lit and self.strip[-1][1] else dark
                yield pictures[k % len(pictures)]

        self.frames: Iterator[bytes] = frames()

    def drawn(self, hand: Hand | None, lit: tuple[str, ...]) -> list[bytes]:
        draw, top, on = self.top.renderer.frame, self.top, dict.fromkeys(lit, GLOW)
        return [part(draw(top.lying, top.light, seed, hand, lit=on)) for seed in range(3)]

    def shine(self, rgb: bytes) -> None:
        """The strip's lights, three bytes each."""
        self.strip.append((time.monotonic(), any(rgb)))

    def play(self, move: str) -> None:
        """Let a hand make a move."""
        self.show(Hand(0.0, 60.0, 1.2))
        time.sleep(0.4)
        self.position = self.position.play(self.position.action(move))
        self.show()

    def close(self) -> None:
        """The camera is gone."""
        self.closed.set()
        self.server.close()


@pytest.fixture
def stream() -> Iterator[Stream]:
    stream = Stream()
    yield stream
    stream.close()


def measured(home: Path, camera: Camera = CAMERA, date: str = "") -> None:
    """A lens file as `hexboard calibrate camera` writes it."""
    path = lens_file.path(home)
    path.parent.mkdir(parents=True, exist_ok=True)
    lens_file.save(path, Lens(camera, 0.2, 0.3, 0.001, 12, 0.8, False), date)


def camera(state: dict[str, Any]) -> dict[str, Any]:
    links = [link for link in state["links"] if link["source"] == "camera"]
    return links[0] if links else {"up": None, "why": ""}


def readers(running: Running) -> list[int]:
    """The processes that look through its camera."""
    listed = Path(f"/proc/{running.pid}/task").glob("*/children")
    pids = [int(pid) for file in listed for pid in file.read_text().split()]
    return [pid for pid in pids if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.mark.long
def test_a_move_made_by_hand_under_a_camera_is_refereed(
    start: Any, home: Path, stream: Stream
) -> None:
    measured(home)
    running: Running = start("hexhex-5", "--camera", stream.url, simulate=False)
    with running.page() as page:
        page.until(lambda s: camera(s)["up"])
        stream.play(MOVE)
        page.until(lambda s: [line for line in s["log"] if line["text"] == "Black moves b3 to c3."])
        assert [link["source"] for link in page.state["links"]] == ["camera"]  # nobody needs a Pico
        view = urllib.request.Request(
            f"{running.origin}/camera", headers={"Cookie": running.cookie}
        )
        assert urllib.request.urlopen(view).read(2) == b"\xff\xd8"
        stream.close()
        page.until(lambda s: "does not answer" in camera(s)["why"])
        back = Stream(stream.port)
        page.until(lambda s: camera(s)["up"])
        back.close()
    code, said = running.end()
    said = running.began + said  # whether a Pico is there is said while the page opens, or after
    assert code == 0
    assert "pico is not connected" not in said
    assert said.count("The board's lights stay dark, the camera needs none (no Pico found") == 1


@pytest.mark.long
def test_the_boards_lights_go_off_once_for_the_camera_and_come_back(
    start: Any, home: Path, stream: Stream
) -> None:
    """A strip behind the real firmware, a camera that sees its lights. On a busy machine lights are
    seen to go long after they went, and what was read is read again; but not at each move."""
    measured(home)
    stream.shine(bytes(3))
    stream.show()
    with Twin(0, len(BOARD.pixels), stream.shine) as twin:
        with (home / "settings.toml").open("a") as file:
            file.write(f"[link]\nport = '{twin.port}'\n")
        running: Running = start("hexhex-5", "--camera", stream.url, simulate=False)
        with running.page() as page:
            page.until(lambda s: camera(s)["up"])
            eventually(lambda: len(dips(stream)) >= 2)  # before it was up; the first look
            seen = (_dips_of(move, stream, page) for move in (MOVE, *OTHERS))
            assert any(len(dips) == 1 and dips[0] > 0.2 for dips in seen)
        running.end()


def _dips_of(move: str, stream: Stream, page: Page) -> list[float]:
    """`dips` for a move: until it is refereed, the lights are back and may not go again."""
    del stream.strip[:-1]
    stream.play(move)
    played = {"b": "Black", "h": "White"}[move[0]] + " moves " + move.replace("-", " to ") + "."
    page.until(lambda s: [line for line in s["log"] if line["text"] == played])
    eventually(lambda: stream.strip[-1][1])
    time.sleep(DIP_S)
    return dips(stream)


WITHOUT = """
import sys
sys.modules.update(cv2=None, numpy=None)
from hexboard.__main__ import main
main()
"""


@pytest.mark.long
def test_people_play_without_a_camera_where_its_library_is_missing(
    home: Path, tmp_path: Path
) -> None:
    """As after an installation without it, and a camera in the settings."""
    command = (sys.executable, "-c", WITHOUT)
    given = ("hexhex-5", "--game", "hexalma", "--camera", "/dev/video0", "--port", 0)
    running = Running(tmp_path / "state", *given, home=home, command=command)
    with running.page() as page:
        why = page.until(lambda s: not camera(s)["up"] and camera(s)["why"])
    assert "need OpenCV" in why
    assert running.end()[0] == 0


@pytest.mark.long
def test_pictures_in_doubt_are_kept_and_read_again(
    start: Any, home: Path, tmp_path: Path, stream: Stream
) -> None:
    """In colours of one's own: they are read again by those, whatever was learned since."""
    measured(home)
    learned = colours.place(home, BOARD)
    store.save(learned, GREEN_RED)
    kit = colours.kit(learned, BOARD)
    stream.top = Tabletop(BOARD, CAMERA, PLACE, 1, MODERATE, kit)
    x, y = project(CAMERA, PLACE, [(BOARD.cell["e5"].x, BOARD.cell["e5"].y)])[0]
    stream.top.light = replace(stream.top.light, glare=(Glare(x, y, 30, 0.6),))
    stream.show()
    running: Running = start("hexhex-5", "--camera", stream.url, "--frames", simulate=False)
    with running.page() as page:
        page.until(lambda s: camera(s)["up"])
        frames = running.folder / "recordings"
        (album,) = eventually(lambda: list(frames.glob("*.frames.mcap")))
    running.end()
    learned.unlink()
    recording = album.with_name(album.name.replace(".frames", ""))
    again = hexboard("replay", recording, "--from-frames", "--json")
    told = json.loads(again.stdout)
    assert (again.returncode, told["differences"]) == (0, [])
    assert told["frames"] >= 1
    shots = [msgspec.json.decode(record.payload, type=Shot) for record in read(album)]
    cells = [cell.id for cell in BOARD.cells]
    file = tmp_path / "evening.html"
    assert hexboard("export", "--page", recording, "-o", file).returncode == 0
    carried = data(file.read_text("utf-8"))["seen"]
    jpegs = [base64.b64decode(picture)[:3] for *_, picture in carried if picture]
    assert jpegs
    assert set(jpegs) == {b"\xff\xd8\xff"}
    assert all(shot.cells[cells.index("e5")] == () for shot in shots)
    assert all(shot.size[0] < CAMERA.size[0] for shot in shots)  # cut to the mat
    by_ours = reread(shots[0], BOARD, looks("hexalma"), KIT)
    assert len(differing(shots[0].cells, by_ours)) > 20
    without = hexboard("run", "hexhex-5", "--frames")
    assert (without.returncode, "--frames goes with" in without.stderr) == (2, True)


@pytest.mark.long
def test_what_is_read_otherwise_now_is_said_cell_by_cell(tmp_path: Path) -> None:
    """A recording whose reader took a5 for empty, and said nothing of e5."""
    picture = Tabletop(BOARD, CAMERA, PLACE, 1, MODERATE)
    picture.put(lying(hexalma.start(BOARD, {}), BOARD))
    seen, cells = picture.picture(), [cell.id for cell in BOARD.cells]
    read_so = list(Reader(BOARD, looks("hexalma"), CAMERA, PLACE).read(seen).cells)
    read_so[cells.index("a5")], read_so[cells.index("e5")] = ((0, 0),), ()
    album = tmp_path / "evening.frames.mcap"
    recorder = Recorder(
        album,
        schemas={"frame": encoded(Shot)},
        attachments={"board.json": msgspec.json.encode(BOARD)},
        metadata={"game": "hexalma"},
        trouble=lambda trouble: pytest.fail(str(trouble)),
    )
    shot = taken(5, seen, BOARD, CAMERA, PLACE, tuple(read_so))
    recorder.put("frame", 5, msgspec.json.encode(shot))
    recorder.close()
    done = hexboard("replay", album, "--from-frames")
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        "00:00.000  a5: was empty, is B",
        "00:00.000  e5: was not told, is empty",
        "1 frame read again: 2 cells read otherwise",
    ]
    album.write_bytes(album.read_bytes()[:-2000])
    torn = json.loads(hexboard("replay", album, "--from-frames", "--json").stdout)
    assert "damaged" in torn["damage"]
    (tmp_path / "other.mcap").write_bytes(album.read_bytes())
    none = hexboard("replay", tmp_path / "other.mcap", "--from-frames")
    assert (none.returncode, "only kept by hexboard run" in none.stderr) == (1, True)


def press(terminal: int, key: str) -> None:
    """Press a key once it is waited for: what was typed before is thrown away."""
    eventually(lambda: not termios.tcgetattr(terminal)[3] & termios.ICANON)
    os.write(terminal, key.encode())


class Terminal:
    """hexboard in a terminal of its own, at which somebody sits."""

    def __init__(self, *arguments: object, out: IO[str] | None = None) -> None:
        """`out` is where its output goes instead."""
        self.ours, theirs = pty.openpty()
        command = [*HEXBOARD, *map(str, arguments)]
        self.process = subprocess.Popen(command, stdin=theirs, stdout=out or theirs, stderr=theirs)
        os.close(theirs)
        self.said = ""

    def until(self, words: str) -> None:
        end = time.monotonic() + PATIENCE
        while words not in self.said.replace("\r\n", " "):
            assert time.monotonic() < end, self.said
            if select.select([self.ours], [], [], 0.1)[0]:
                self.said += os.read(self.ours, 4096).decode()

    def press(self, key: str) -> None:
        press(self.ours, key)

    def end(self) -> int:
        self.process.wait(PATIENCE)
        os.close(self.ours)
        return self.process.returncode


@pytest.mark.long
def test_colours_are_learned_before_a_live_camera(home: Path, stream: Stream) -> None:
    """Somebody clears the board and lays out what is asked for, and presses a key each time."""
    measured(home)
    learned = Palette(
        *(GREEN_RED.colours, GREEN_RED.rims, GREEN_RED.nearest, GREEN_RED.apart, GREEN_RED.sizes)
    )
    kit = dressed(KIT, learned)
    stream.top = Tabletop(BOARD, CAMERA, PLACE, 1, MODERATE, kit)
    stream.show()  # a game is still on it
    command = ("--home", home, "calibrate", "colours", "hexhex-5", "--camera", stream.url)
    terminal = Terminal(*command)
    terminal.until("Clear the board and step back")
    stream.lay({})
    terminal.press(" ")
    terminal.until("Put down: black")
    layout, said = asked(BOARD, looks("hexalma")), terminal.said.replace("\r\n", " ")
    for name, cells in layout.alone.items():
        assert f"{name} {' '.join(cells)}" in said
        assert f"a tower of 3 {name} {layout.towers[name]}" in said
    stream.lay(laid(layout))
    terminal.press(" ")
    terminal.until("version 1.")
    assert terminal.end() == 0
    found = colours.load(colours.place(home, BOARD))
    for name, own in GREEN_RED.colours.items():
        assert found.colours[name] == pytest.approx(own, abs=0.04)  # JPEG blurs colours
    done = hexboard(*command, stdin=subprocess.DEVNULL)
    assert (done.returncode, "run it in a terminal" in done.stderr) == (1, True)


@pytest.mark.long
def test_it_waits_for_a_key_where_its_output_goes_elsewhere_and_ctrl_c_ends_it(
    home: Path, stream: Stream, tmp_path: Path
) -> None:
    measured(home)
    command = ("--home", home, "calibrate", "colours", "hexhex-5", "--camera", stream.url)
    with (tmp_path / "told.json").open("w+") as out:
        terminal = Terminal(*command, "--json", out=out)
        terminal.until("Clear the board and step back")
        terminal.press(" ")
        terminal.until("Put down: black")
        terminal.press("\x03")
        terminal.until("Stopped.")
        assert terminal.end() == 130
    assert not colours.place(home, BOARD).exists()


@pytest.mark.parametrize(
    ("key", "stops"), [("\x03", True), ("\x04", True), ("q", True), (" ", False)]
)
def test_a_key_goes_on_but_for_those_that_stop(
    monkeypatch: pytest.MonkeyPatch, key: str, stops: bool
) -> None:
    ours, theirs = pty.openpty()
    typist = threading.Thread(target=press, args=(ours, key))
    with os.fdopen(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        typist.start()
        with pytest.raises(KeyboardInterrupt) if stops else contextlib.nullcontext():
            pressed(message("colours.clear"))
        typist.join()
    os.close(ours)


@pytest.mark.parametrize("rate", [5, 15, 60])
def test_a_hand_has_half_a_second_to_leave_however_quick_the_camera_is(rate: int) -> None:
    """It had eight pictures: 0.13 s of a quick one, 1.6 s of a slow one."""
    image = np.zeros((1, 1, 3), np.uint8)
    frames = (Frame(k * 10**9 // rate, image) for k in count(1))
    waited = (_fresh(frames).t - 10**9 // rate) / 10**9
    assert 0.5 <= waited < 0.5 + 1.1 / rate


@pytest.mark.long
def test_a_wrong_camera_or_one_of_another_size_is_named(home: Path, stream: Stream) -> None:
    measured(home, replace(CAMERA, size=(640, 480)))
    with (home / "settings.toml").open("a") as file:
        file.write("[camera]\nsource = '/dev/video77'\n")
    command = ("--home", home, "calibrate", "board", "hexhex-5")
    for source, said in (
        ((), "There is no camera /dev/video77"),
        (("--camera", "/dev/null"), "/dev/null gives no pictures"),
        (
            ("--camera", stream.url),
            "pictures of 1280 x 960, but its lens was measured at 640 x 480",
        ),
    ):
        done = hexboard(*command, *source)
        assert (done.returncode, said in done.stderr) == (1, True), done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.long
def test_a_camera_whose_picture_stands_still_is_said_and_so_is_its_end(
    start: Any, home: Path, stream: Stream
) -> None:
    measured(home)
    running: Running = start("hexhex-5", "--camera", stream.url, simulate=False)
    with running.page() as page:
        page.until(lambda s: camera(s)["up"])
        stream.frames = repeat(next(stream.frames))
        page.until(lambda s: "the same picture for 2 s" in camera(s)["why"])
        stream.show()
        page.until(lambda s: camera(s)["up"])
    running.end()


def dips(stream: Stream) -> list[float]:
    """How long the strip was dark, each time, s; none while it still is."""
    found, since = [], None
    for t, lit in list(stream.strip):
        if not lit and since is None:
            since = t
        elif lit and since is not None:
            found.append(t - since)
            since = None
    return found


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_the_cameras_process_is_started_again_and_ends_with_the_referee(
    start: Any, home: Path
) -> None:
    measured(home)
    running: Running = start("hexhex-5", "--camera", "/dev/video99", simulate=False)
    with running.page() as page:
        page.until(lambda s: "There is no camera /dev/video99" in camera(s)["why"])
        (first,) = readers(running)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(first, number)  # as a terminal does, or systemd: the referee's to answer
        time.sleep(0.1)
        assert readers(running) == [first]
        os.kill(first, signal.SIGKILL)
        page.until(lambda s: "code -9" in camera(s)["why"])
        page.until(lambda s: "There is no camera /dev/video99" in camera(s)["why"])
        (second,) = readers(running)
    running.end(signal.SIGKILL)
    eventually(lambda: not alive(second))


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_that_hangs_is_said_and_started_again(
    start: Any, home: Path, stream: Stream
) -> None:
    measured(home)
    running: Running = start("hexhex-5", "--camera", stream.url, simulate=False)
    with running.page() as page:
        page.until(lambda s: camera(s)["up"])
        (first,) = readers(running)
        os.kill(first, signal.SIGSTOP)
        page.until(lambda s: "has done nothing for 15 s" in camera(s)["why"])
        page.until(lambda s: camera(s)["up"])
        (second,) = readers(running)
        assert second != first
    running.end()


@pytest.mark.long
@pytest.mark.parametrize(("lens", "why"), [(None, "Its lens is not"), ("{", "not a good file")])
def test_without_a_good_lens_file_it_says_how_to_make_one_and_goes_on(
    start: Any, home: Path, lens: str | None, why: str
) -> None:
    with (home / "settings.toml").open("a") as file:
        file.write("[camera]\nsource = '/dev/video0'\n")
    if lens is not None:
        path = lens_file.path(home)
        path.parent.mkdir()
        path.write_text(lens)
    with start("hexhex-5", simulate=False).page() as page:
        page.until(lambda s: why in camera(s)["why"] and "hexboard calibrate camera" in str(s))
        page.send("declare", seat=-1, action=MOVE)
        page.until(lambda s: [line for line in s["log"] if line["text"] == "Black moves b3 to c3."])


@pytest.mark.parametrize(
    "command", ["run --simulate hexhex-5", "calibrate board hexhex-5", "calibrate colours hexhex-5"]
)
def test_a_second_camera_is_refused_and_not_passed_over(command: str) -> None:
    two = ("--camera", "/dev/video0", "--camera", "/dev/video2")
    done = invoke(*command.split(), *two)
    assert (done.exit_code, "One camera looks at a board" in done.output) == (2, True)


@pytest.mark.parametrize("given", [("--camera",), ("--simulate", "--camera", "/dev/video0")])
def test_a_source_goes_with_a_board_and_none_with_a_simulation(given: tuple[str, ...]) -> None:
    done = hexboard("run", "hexhex-5", *given)
    assert done.returncode == 2
    assert "--camera takes a SOURCE, but none with --simulate." in done.stderr
