"""Foxglove: the messages that free viewers of recordings know, and a file of them.

Names, fields and numbers are those of the published schemas (docs.foxglove.dev, *Message schemas*):
lengths in metres, z up, colours from 0 to 1. Every message is whole, for a viewer that jumps to a
moment reads the last message of each topic and no other.

    with ViewerFile(path) as file:
        file.put("/log", t, ViewerLog(stamp(t), INFO, "Red takes C3.", "ruling", "3.2", 17))
"""

from os.path import realpath
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from mcap.writer import CompressionType, Writer
from msgspec import Struct

from hexboard.record.recording import FOR_VIEWERS
from hexboard.record.schemas import encoded

INFO, WARNING = 2, 3
"""Levels of a `ViewerLog`."""
LINE_LOOP = 1
"""The type of a `Line` that ends where it begins."""
FRAME = "board"
"""The frame of reference: its origin is the middle of the board."""


class Time(Struct, frozen=True):
    sec: int = 0
    nsec: int = 0


class Vector3(Struct, frozen=True):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class Quaternion(Struct, frozen=True):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 1.0


class ViewerPose(Struct, frozen=True):
    position: Vector3 = Vector3()
    orientation: Quaternion = Quaternion()


class Color(Struct, frozen=True):
    r: float
    g: float
    b: float
    a: float = 1.0


class Sphere(Struct, frozen=True):
    pose: ViewerPose
    size: Vector3
    color: Color


class Cylinder(Struct, frozen=True):
    pose: ViewerPose
    size: Vector3
    color: Color
    bottom_scale: float = 1.0
    top_scale: float = 1.0


class Line(Struct, frozen=True):
    thickness: float
    points: tuple[Vector3, ...]
    color: Color
    type: int = LINE_LOOP
    pose: ViewerPose = ViewerPose()
    scale_invariant: bool = False
    colors: tuple[Color, ...] = ()
    indices: tuple[int, ...] = ()


class Triangles(Struct, frozen=True):
    points: tuple[Vector3, ...]
    indices: tuple[int, ...]
    color: Color
    pose: ViewerPose = ViewerPose()
    colors: tuple[Color, ...] = ()


class ViewerText(Struct, frozen=True):
    pose: ViewerPose
    font_size: float
    color: Color
    text: str
    billboard: bool = True
    scale_invariant: bool = False


class Unused(Struct, frozen=True):
    """What a message may have and ours never do."""


class Entity(Struct, frozen=True):
    """Things that are shown and replaced together."""

    timestamp: Time
    id: str
    spheres: tuple[Sphere, ...] = ()
    cylinders: tuple[Cylinder, ...] = ()
    lines: tuple[Line, ...] = ()
    triangles: tuple[Triangles, ...] = ()
    texts: tuple[ViewerText, ...] = ()
    frame_id: str = FRAME
    lifetime: Time = Time()
    frame_locked: bool = False
    metadata: tuple[Unused, ...] = ()
    arrows: tuple[Unused, ...] = ()
    cubes: tuple[Unused, ...] = ()
    models: tuple[Unused, ...] = ()


class SceneUpdate(Struct, frozen=True):
    entities: tuple[Entity, ...]
    deletions: tuple[Unused, ...] = ()


class ViewerLog(Struct, frozen=True):
    """`name` is the kind of what was said, `file` its rule, `line` the fact's number."""

    timestamp: Time
    level: int
    message: str
    name: str
    file: str
    line: int


class CompressedImage(Struct, frozen=True):
    timestamp: Time
    data: bytes
    format: str
    frame_id: str = "camera"


class Level(Struct, frozen=True):
    """What a sensor said; of ours, for plots."""

    timestamp: Time
    sensor: str
    level: int


ViewerMessage = SceneUpdate | ViewerLog | CompressedImage | Level
TOPICS: dict[str, tuple[str, type[ViewerMessage]]] = {
    "/board": ("foxglove.SceneUpdate", SceneUpdate),
    "/lights": ("foxglove.SceneUpdate", SceneUpdate),
    "/pieces": ("foxglove.SceneUpdate", SceneUpdate),
    "/balls": ("foxglove.SceneUpdate", SceneUpdate),
    "/log": ("foxglove.Log", ViewerLog),
    "/camera": ("foxglove.CompressedImage", CompressedImage),
    "/sensors": ("hexboard.Level", Level),
}
"""What a file may have: of each topic the name of its schema, and its messages."""


def stamp(t: int) -> Time:
    """A wall time in ns, as messages have it; nothing is before 1970."""
    return Time(*divmod(max(0, t), 1_000_000_000))


class ViewerFile:
    """An MCAP file that is being written, with an index for viewers that jump; `topics` are those
    that it has so far, and `messages` how many there are. It is at `path` once it is whole."""

    def __init__(self, path: Path) -> None:
        self.messages = 0
        self.topics: dict[str, int] = {}
        self._path = Path(realpath(path))  # a link stays one
        self._part = self._path.with_name(f"{self._path.name}.part")
        self._file = self._part.open("wb")
        self._writer = Writer(self._file, compression=CompressionType.ZSTD)
        self._writer.start(*FOR_VIEWERS)
        self._schemas: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None
    ) -> None:
        with self._file:
            if why is None:
                self._writer.finish()  # type: ignore[no-untyped-call]
        if why is None:
            self._part.replace(self._path)
        else:
            self._part.unlink()

    def put(self, topic: str, t: int, message: ViewerMessage) -> None:
        """Write a message of wall time `t`, ns."""
        channel = self.topics.get(topic) or self._channel(topic)
        self._writer.add_message(channel, max(0, t), msgspec.json.encode(message), max(0, t))
        self.messages += 1

    def _channel(self, topic: str) -> int:
        name, kind = TOPICS[topic]
        if name not in self._schemas:
            written = encoded(kind)
            self._schemas[name] = self._writer.register_schema(name, "jsonschema", written)
        channel = self._writer.register_channel(topic, "json", self._schemas[name])
        self.topics[topic] = channel
        return channel
