"""What reads what others wrote: each with something good to begin with."""

import contextlib
import io
import json
import re
import threading
from binascii import crc_hqx
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from socket import create_server
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
from click.testing import CliRunner
from cobs import cobs
from msgspec.json import encode

from hexboard.board import plain
from hexboard.calibration import pixels
from hexboard.calibration.pixels import PixelMap
from hexboard.calibration.result import Calibration, Measured, wiring
from hexboard.calibration.sensors import Finding
from hexboard.calibration.times import Times
from hexboard.commands.cli import OUR_MISTAKE, main
from hexboard.daemon.greeting import Where
from hexboard.devices.session import Session
from hexboard.facts import MS
from hexboard.files import shipped
from hexboard.game import record, registry
from hexboard.game.match import Back, Entry, Played
from hexboard.game.referee import Referee
from hexboard.game.save import Save
from hexboard.game.written import doubt
from hexboard.record.journal import Journal, JournalError
from hexboard.record.recording import Recorder, read
from hexboard.record.schemas import schemas
from hexboard.settings import EXAMPLE
from hexboard.vision.camera import mjpeg
from hexboard.vision.frame import BadCamera
from hexboard.web.keys import Keys
from hexboard.web.requests import decode_asked
from hexboard.words import say
from hexboard.words.errors import NO_JSON, BadFile, BadRecording, BadText, IllegalAction
from tests.firmware import firmware
from tests.firmware.fake_pins import FakePins

ROOT = shipped("boards").parent.parent
GOLDEN = ROOT / "docs" / "golden"
FRAME_END = b"\n--\n"
"""Between two frames of the link, before they are wrapped."""
TOLD = 1200
"""Letters of a command's answer that are shown where it is wrong."""


class Wrong(Exception):
    """A parser took, or said, what it may not."""


@dataclass(frozen=True)
class Target:
    """A parser: `read` gives in a word or two what came of the bytes, and raises where that is
    wrong; `seeds` are good."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], str]


def targets(folder: Path) -> Iterator[Target]:
    """All of them; they write into `folder` only."""
    for kind, places, name in FILES:
        path = folder / kind / name
        path.parent.mkdir(parents=True, exist_ok=True)
        found = sorted(ROOT.glob(places)) if places else ()
        seeds = tuple(good.read_bytes() for good in found) or (EXAMPLE.encode(),)
        yield Target(f"file-{kind}", seeds, partial(_file, folder / kind, path, ("check", path)))
    evening = (GOLDEN / "evening.mcap").read_bytes()
    for words in (("log",), ("replay", "--quiet"), ("trace", "--json")):
        path = folder / "evening.mcap"
        read_by = partial(_file, folder, path, (words[0], path, *words[1:]))
        yield Target(f"recording-{words[0]}", (evening,), read_by)
    inside = tuple({record.payload for record in read(GOLDEN / "evening.mcap")})
    path = folder / "inside.mcap"
    yield Target("recording-inside", inside[:80], partial(_inside, path))
    for name, seed, command in _kept():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        filled = [word.format(folder=folder, path=path) for word in command]
        read_by = partial(_file, folder, path, filled)
        yield Target(f"kept-{path.stem}", (seed,), read_by)
    path = folder / "evening.trf"
    evenings = tuple(it.read_bytes() for it in sorted(ROOT.glob("tests/*/**/*.trf")))
    show = ("tournament", "show", path)
    yield Target("tournament", evenings, partial(_file, folder, path, show))
    yield Target("phones", (PHONES,), partial(_phones, folder / "phones.json"))
    yield Target("journal", (_journal(folder / "seed.db"),), partial(_open, folder / "journal.db"))
    device, host = _talk()
    yield Target("link-host", tuple(_frames(device)), _host)
    yield Target("link-device", tuple(_frames(host)), _device)
    yield Target("page", PAGE, _page)
    yield Target("camera", (_stream(False), _stream(True)), _camera)
    for game in registry.names():
        walked = tuple(_walk(game))
        texts = tuple(sorted({str(position).encode() for position in walked}))
        names = {position.name(move) for position in walked for move in islice(position.legal, 4)}
        yield Target(f"position-{game}", texts, partial(_position, game))
        yield Target(f"record-{game}", (_recorded(game),), _record)
        if registry.find(game).foreign is not None:
            yield Target(f"written-{game}", (_exported(game),), partial(_written, game))
        lines = (
            *({"do": "act", "action": name} for name in sorted(names)),
            *({"do": "load", "position": str(it), "problem": True} for it in walked),
            *({"do": do} for do in ("state", "position", "scene", "undo", "legal")),
            *({"do": do, "seat": 1} for do in ("view", "legal")),
            {"do": "subscribe", "to": [{"do": "state"}, {"do": "view", "seat": 1}]},
        )
        seeds = tuple(json.dumps(line).encode() for line in lines)
        yield Target(f"referee-{game}", seeds, partial(_referee, game))


# ----------------------------------------------------------------------------- files and commands

FILES = (
    ("board", "hardware/boards/*.toml", "mine.toml"),
    ("settings", "", "settings.toml"),
    ("language", "controller/**/locale/de.toml", "locale/xx.toml"),
    ("tile", "hardware/tiles/*/*.toml", "mine.toml"),
    ("cards", "controller/games/*/[cd]a*/*.toml", "mine.toml"),
    ("map", "controller/games/*/maps/*.toml", "mine.toml"),
)
"""A kind of file, where good ones lie, and the name that it needs."""


def _file(home: Path, path: Path, command: Iterable[object], data: bytes) -> str:
    """What a command says of the file at `path`."""
    path.write_bytes(data)
    return _run(home, command)


def _run(home: Path, command: Iterable[object]) -> str:
    words = ("--home", home, *command)
    done = CliRunner().invoke(main, [str(word) for word in words])
    told = done.output[-TOLD:]
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise Wrong(told) from done.exception
    if done.exit_code == OUR_MISTAKE or "Traceback" in told:
        raise Wrong(told)
    return f"{done.exit_code} {_shape(done.output)}"


def _shape(told: str) -> str:
    """The last lines without what is quoted or counted in them."""
    lines = told.splitlines()[-8:]
    return "/".join(re.sub(r"\d+|“.*?”|'.*?'|/\S+", "", line)[-60:] for line in lines)


TIMES = Times(2_000_000, 3_000_000, 9_000_000, 12, 4_000_000, 1_000_000, True)


def _kept() -> Iterator[tuple[str, bytes, tuple[str, ...]]]:
    """A file that a command keeps, what may stand in it, and a command that reads it."""
    show = ("calibrate", "show", "hextraction-22")
    board = plain("hextraction-22")
    sensors = {
        sensor.id: Measured(sensor.source, sensor.input, "done", 10, TIMES, 9, 10)
        for sensor in board.sensors[:20]
    }
    swaps = ((board.sensors[0].id, board.sensors[1].id),)
    found = (Finding("edge:B1-C1", "dead"), Finding("edge:B1-B2", "instead", "edge:B2-C2"))
    survey = Calibration(3, board.name, wiring(board), "2026-01-01", sensors, found, swaps)
    yield "calibration/hextraction-22.json", encode(survey), show
    spots = tuple(f"{cell.id}/{edge}" for cell in board.cells for edge in range(6))
    numbers = (1.0,) * len(spots)
    strip = PixelMap(
        1, board.name, pixels.wiring(board), "2026-01-01", spots, numbers, numbers, "markers"
    )
    yield "calibration/hextraction-22.pixels.json", encode(strip), show
    where = Where("http://127.0.0.1:1/?t=x", "http://192.0.2.1:1/?t=x", "x", "123456")
    yield "link.json", encode(where), ("link", "hexhex-4", "--state", "{folder}")
    game, entries = registry.find("hexalma"), list[Entry]()
    position = game.begin(plain(game.board({})), {})
    for move in islice(position.legal, 1):
        entries.append(Played(position.name(move)))
    played = encode(Save(game.name, {}, [*entries, Back(0)]))
    yield "play/saved.json", played, ("play", "hexalma", "--record", "{path}")


PHONES = b'[{"id":"p1","seats":[0],"name":"Anna","host":true,"colour":2,"digest":"%s"}]' % (
    b"a" * 64
)


def _phones(path: Path, data: bytes) -> str:
    """Who came back to a board that was started again."""
    path.write_bytes(data)
    keys = Keys("token", path)
    keys.of("secret")
    return f"{len(keys.people)} people"


def _inside(path: Path, data: bytes) -> str:
    """A whole recording, one of whose records is this; as all commands read it."""
    golden = read(GOLDEN / "evening.mcap")
    first, *rest = list(golden)[:40]
    topic = ("fact", "event", "state", "scene", "digest", "chain", "frame")[len(data) % 7]
    path.unlink(missing_ok=True)
    out = Recorder(
        path,
        schemas=schemas(),
        attachments=golden.attachments,
        metadata=golden.metadata,
        trouble=lambda why: None,
    )
    for kept in (first, *rest):
        out.put(kept.topic, kept.t, kept.payload)
    out.put(topic, rest[-1].t, data)
    out.close()
    command = (("replay",), ("log",), ("trace",), ("replay", "--as-recorded"))[data.count(b"e") % 4]
    return _run(path.parent, (command[0], path, *command[1:]))


# --------------------------------------------------------------------------------------- journal


def _journal(path: Path) -> bytes:
    """One of two matches."""
    journal = Journal(path)
    for match in ("m1", "m2"):
        journal.begin(match, b'{"type":"start"}', "m1" if match == "m2" else "")
        for k in range(20):
            journal.commit(match, 2 * k, [f"{k}a", f"{k}b"], f"position {k}")
    journal.close()
    return path.read_bytes()


def _open(path: Path, data: bytes) -> str:
    for beside in path.parent.glob(f"{path.name}*"):
        beside.unlink()
    path.write_bytes(data)
    try:
        with contextlib.closing(Journal(path)) as journal:
            saved = journal.open_match()
            return "nothing goes on" if saved is None else "goes on"
    except (BadRecording, JournalError) as error:
        return error.message.key


# ------------------------------------------------------------------------------------------ link


@cache
def _talk() -> tuple[bytes, bytes]:
    """What a device (the firmware, in this interpreter) and a host say to each other in 60 ms."""
    pins, host, said = FakePins(), Session(), (bytearray(), bytearray())
    device = firmware("main").Device(pins)
    host.limit(bytes(16))
    for ms in range(60):
        pins.now += 1000
        pins.image[0] = ms // 10 & 1
        host.light(bytes(8 * pins.PIXELS))
        sent = host.send(ms * MS)
        pins.inbox += sent
        device.turn()
        heard, pins.outbox = bytes(pins.outbox), bytearray()
        list(host.receive(heard, ms * MS))
        said[0].extend(heard)
        said[1].extend(sent)
    return bytes(said[0]), bytes(said[1])


def _frames(said: bytes) -> Iterator[bytes]:
    """All frames, and each alone, without their sums."""
    frames = [cobs.decode(block)[:-2] for block in said.split(b"\0")[:-1]]
    yield FRAME_END.join(frames)
    yield from sorted(set(frames))


def _summed(data: bytes) -> bytes:
    """The frames with sums that are right."""
    frames = (one + crc_hqx(one, 0xFFFF).to_bytes(2, "little") for one in data.split(FRAME_END))
    return b"".join(cobs.encode(one) + b"\0" for one in frames)


def _host(data: bytes) -> str:
    session = Session()
    said = [*session.receive(_summed(data), 0), *session.receive(data, 1)]
    session.send(2)
    return " ".join(sorted({type(one).__name__ for one in said}))


def _device(data: bytes) -> str:
    pins = FakePins()
    device = firmware("main").Device(pins)
    pins.inbox += _talk()[1] + _summed(data) + data
    turns = 0
    while pins.inbox:
        pins.now += 1000
        device.turn()
        turns += 1
    if pins.stopped:
        return "stopped"
    pins.inbox += b"\0" + _talk()[1]
    while pins.inbox:
        pins.now += 1000
        device.turn()
    return f"{len(set(pins.shown))} frames shown"


# ------------------------------------------------------------------------------------------ page

PAGE = (
    b'{"type":"declare","action":"roll B1-6","seat":0}',
    b'{"type":"touch","cell":"e5"}',
    b'{"type":"decide","question":3,"choice":1}',
    b'{"type":"ruling","do":"void","why":"it stuck"}',
    b'{"type":"hand","what":"tap","at":"e5","turn":1,"on":true}',
    b'{"type":"new","game":"hexel","how":"house","options":{"hands":"dealt","seats":3}}',
    b'{"type":"lights","brightness":40,"calm":true}',
    b'{"type":"ask","body":{"name":"mine","nets":[[1,2]]}}',
    b'{"type":"invite","seat":1}',
    b'{"type":"curtain","side":-1}',
)


def _page(data: bytes) -> str:
    try:
        return type(decode_asked(data.decode("utf-8"))[0]).__name__
    except NO_JSON as error:  # what the server refuses
        return type(error).__name__


# ---------------------------------------------------------------------------------------- camera


def _stream(sized: bool) -> bytes:
    """Three pictures of a camera, with their lengths told or not."""
    image = np.full((48, 64, 3), 90, np.uint8)
    jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    length = f"Content-Length: {len(jpeg)}\r\n" if sized else ""
    head = f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode()
    return (head + jpeg + b"\r\n") * 3 + b"--frame--\r\n"


@cache
def _served() -> SimpleNamespace:
    """A camera that sends what it is given, and hangs up."""
    server = create_server(("127.0.0.1", 0))
    given = SimpleNamespace(data=b"", address=f"http://127.0.0.1:{server.getsockname()[1]}/")

    def serve() -> None:
        while True:
            line, _ = server.accept()
            with line, contextlib.suppress(OSError):
                line.recv(10_000)
                kind = b"Content-Type: multipart/x-mixed-replace; boundary=frame\r\n"
                line.sendall(b"HTTP/1.0 200 OK\r\n" + kind + b"\r\n" + given.data)

    threading.Thread(target=serve, daemon=True).start()
    return given


def _camera(data: bytes) -> str:
    camera = _served()
    camera.data, read = data, 0
    try:
        stream = mjpeg.Stream(camera.address)
        try:
            while read <= len(data):  # each picture takes a byte at least
                stream.read()
                read += 1
        finally:
            stream.close()
    except BadCamera as error:
        return f"{min(read, 4)} {error.message.key}"
    raise Wrong("pictures without end")


# ----------------------------------------------------------------------------------------- games


def _walk(name: str) -> Iterator[Any]:
    """Positions of a random game, some steps apart."""
    game, random = registry.find(name), Random(7)
    position: Any = game.begin(plain(game.board({})), {})
    for step in range(160):
        if step % 8 == 0:
            yield position
        if not (moves := list(position.legal)):
            return
        position = position.play(random.choice(moves))


def _position(name: str, data: bytes) -> str:
    """A text that is taken is written as it is read, and can be played on."""
    game = registry.find(name)
    board = plain(game.board({}))
    try:
        position: Any = game.read(data.decode("utf-8", "surrogateescape"), board, {})
    except BadText as error:
        str(error)
        return error.message.key
    text = str(position)
    if str(game.read(text, board, {})) != text:
        raise Wrong(f"read as another text: {text}")
    for move in islice(position.legal, 10):
        if position.action(position.name(move)) != move:
            raise Wrong(f"no name of its own: {position.name(move)}")
        position.play(move)
    position.scene()
    why = doubt(game, position)
    if why:
        return say(why).partition(" ")[0]
    return "over" if position.scores is not None else "goes on"


def _exported(name: str) -> bytes:
    """A random game as it is written."""
    game, random = registry.find(name), Random(7)
    line: list[Any] = [game.begin(plain(game.board({})), {})]
    while len(line) < 60 and (moves := list(line[-1].legal)):
        line.append(line[-1].play(random.choice(moves)))
    assert game.foreign is not None
    return game.foreign.write(line, (), "").encode()


def _recorded(name: str) -> bytes:
    """A random game as a record."""
    game, random = registry.find(name), Random(7)
    found = record.again(name, plain(game.board({})), {}, (), ("Ann", "Ben"))
    while len(found.match.line) < 60 and (moves := list(found.match.position.legal)):
        found.match.play(random.choice(moves))
    return record.write(found).encode()


def _record(data: bytes) -> str:
    """A record that is taken says when it is written again what it said."""
    text = data.decode("utf-8", "replace")
    try:
        found = record.read(text, "game.txt")
    except BadFile as error:
        str(error)
        return error.mistakes[0].key
    written = record.write(found)
    if record.write(record.read(written, "game.txt")) != written:
        raise Wrong("it is written otherwise each time")
    return "read"


def _written(name: str, data: bytes) -> str:
    """A game that is taken is played, to its end or a move that a sentence names."""
    game = registry.find(name)
    assert game.foreign is not None
    assert game.foreign.read is not None
    try:
        found = game.foreign.read(data.decode("utf-8", "replace"))
        board = plain(game.board(found.options))
        position: Any = game.read(found.start, board, found.options)
        for move in found.moves:
            position = position.play(position.action(move))
    except (BadText, IllegalAction) as error:
        str(error)
        return error.message.key
    return "read"


def _referee(name: str, data: bytes) -> str:
    """Each line is answered, by JSON, and the game goes on."""
    game = registry.find(name)
    referee = Referee(game, plain(game.board({})), {})
    outcomes = set[str]()
    for line in io.BytesIO(data + b'\n{"do": "state"}\n'):
        answered = json.loads(referee.line(line))
        if news := referee.news():
            json.loads(news)
        answers: list[Mapping[str, Any]] = answered if isinstance(answered, list) else [answered]
        outcomes |= {str(answer.get("rule", answer["ok"])) for answer in answers}
    if not answers[0]["ok"]:
        raise Wrong(f"it does not go on: {answers[0]}")
    return " ".join(sorted(outcomes))
