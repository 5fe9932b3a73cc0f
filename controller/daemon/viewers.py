"""A recording as free viewers show it: its replay told in Foxglove's messages, and a layout.

What is told is what everybody at the table could see and hear. Lights stand still, as in calm mode:
a viewer asks for no animation.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from hexboard.appearance import KIT, Look, piece
from hexboard.board import Board
from hexboard.facts import Edge
from hexboard.game.game import appearance
from hexboard.lights.frame import LightRenderer, LightSettings
from hexboard.record.foxglove import (
    INFO,
    WARNING,
    Color,
    CompressedImage,
    Cylinder,
    Entity,
    Level,
    Line,
    SceneUpdate,
    Sphere,
    Time,
    Triangles,
    Vector3,
    ViewerFile,
    ViewerLog,
    ViewerPose,
    ViewerText,
    stamp,
)
from hexboard.record.replay import Replay, ReplayStep, messages
from hexboard.scene import Scene
from hexboard.table import TableView
from hexboard.words import Message, say
from hexboard.words.names import naming

LIGHTS = LightSettings(brightness=100, calm=True, gamma=1.0, white=(255, 255, 255))
"""Colours as an eye would want them, for a screen."""
GREY, BLACK, STEEL = Color(0.16, 0.17, 0.2), Color(0.0, 0.0, 0.0), Color(0.75, 0.77, 0.8)
LIGHT_MM, LIGHT_HIGH_MM, TEXT_MM = 3.0, 0.6, 6.0
"""Half a light's width, how high it lies over the board, and letters."""
FOV_DEG = 45.0
"""How much a viewer's camera sees from its top to its bottom."""
SENSORS = 12
"""So many sensors, those that spoke most, stand in the layout."""
KINDS = {"tell": "ruling"}
"""What an effect tells, as the log names it, where that is another word."""
Pictures = Iterable[tuple[int, bytes]]
"""JPEGs that a camera took, with when (board ns), in their order."""


def told_to_viewers(
    replay: Replay,
    steps: Iterable[ReplayStep],
    file: ViewerFile,
    pictures: Pictures,
    progress: Callable[[float], None] = lambda seconds: None,
) -> dict[str, Any]:
    """Write the steps of a replay to `file`, and give the layout in which a viewer shows it.
    `progress` is told the board time in seconds. Raises `BadRecording`."""
    shown, spoke = ViewerScene(replay.board), Counter[str]()
    waiting = iter(pictures)
    picture = next(waiting, None)
    first: int | None = None
    for step in steps:
        first = step.fact.t if first is None else first
        zero = replay.recording.offset
        while picture is not None and picture[0] <= step.fact.t:
            at, data = picture
            file.put("/camera", zero + at, CompressedImage(stamp(zero + at), data, "jpeg"))
            picture = next(waiting, None)
        if isinstance(step.fact.body, Edge):
            spoke[step.fact.body.sensor] += 1
        _tell(replay, step, zero, shown, file)
        progress((step.fact.t - first) / 1e9)
    return layout(replay.board, file.topics, [name for name, _ in spoke.most_common(SENSORS)])


def _tell(
    replay: Replay, step: ReplayStep, zero: int, shown: "ViewerScene", file: ViewerFile
) -> None:
    """What one fact brings."""
    wall, fact = stamp(zero + step.fact.t), step.fact
    if isinstance(fact.body, Edge):
        at = zero + fact.at
        file.put("/sensors", at, Level(stamp(at), fact.body.sensor, int(fact.body.level)))
    view = replay.view
    for kind, level, text in _told(step):
        said = say(naming(text, view.names))
        file.put("/log", zero + fact.t, ViewerLog(wall, level, said, kind, text.rule, fact.n))
    if step.shown or not shown.begun:
        for topic, entities in shown.changed(view, wall):
            file.put(topic, zero + fact.t, SceneUpdate(entities))


def _told(step: ReplayStep) -> Iterator[tuple[str, int, Message]]:
    """What was said of a fact: its kind, its level, its words."""
    for told in step.told:
        if told.topic == "event":
            for effect, text in messages(msgspec.json.decode(told.payload)):
                yield KINDS.get(effect, effect), INFO if effect == "tell" else WARNING, text


class ViewerScene:
    """What a viewer was shown of a board: only what differs from it is told again."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._renderer = LightRenderer(board, LIGHTS)
        self._points = _points(board)
        self._last: dict[str, object] = {}

    @property
    def begun(self) -> bool:
        """Whether anything was shown."""
        return bool(self._last)

    def changed(self, view: TableView[Any], now: Time) -> Iterator[tuple[str, tuple[Entity, ...]]]:
        """The topics that look otherwise than before, with all that is on them now."""
        entities = {
            "/board": self._ground,
            "/lights": self._lights,
            "/pieces": self._pieces,
            "/balls": self._balls,
        }
        seen: dict[str, object] = {
            "/board": self._board.name,
            "/lights": self._colours(view.scene),
            "/pieces": _looks(view),
            "/balls": [(track.ball, track.place) for track in view.tracks],
        }
        for topic, what in seen.items():
            if topic not in self._last or self._last[topic] != what:
                self._last[topic] = what
                yield topic, (entities[topic](view, now),)

    def _ground(self, view: TableView[Any], now: Time) -> Entity:
        """The outline and the name of each cell."""
        cells, board = self._board.cells, self._board
        rims = [tuple(_point(x, y) for x, y in board.corners(cell.id)) for cell in cells]
        z = _over_a_tile(board)
        names = [_text(cell.id, cell.x, cell.y - board.pitch * 0.35, z, GREY) for cell in cells]
        return Entity(
            now,
            "board",
            lines=tuple(Line(0.0008, rim, GREY) for rim in rims),
            texts=tuple(names),
        )

    def _colours(self, scene: Scene) -> list[bytes]:
        return [light.data[:3] for light in self._renderer.lights(scene)]

    def _lights(self, view: TableView[Any], now: Time) -> Entity:
        """A square for each light that is lit, those of one colour together."""
        lit: dict[bytes, list[tuple[float, float]]] = {}
        for pixel, colour in zip(self._board.pixels, self._colours(view.scene), strict=True):
            if any(colour):
                lit.setdefault(colour, []).append((pixel.x, pixel.y))
        return Entity(now, "lights", triangles=tuple(_squares(c, at) for c, at in lit.items()))

    def _pieces(self, view: TableView[Any], now: Time) -> Entity:
        """What lies in the cells: discs, and the words of whatever else there is."""
        discs: list[Cylinder] = []
        texts: list[ViewerText] = []
        for cell, look in zip(self._board.cells, _looks(view), strict=False):
            colours = look.stacks[0] if look.stacks else (-1,) if piece(look) else ()
            for high, colour in enumerate(colours):
                discs.append(_disc(self._board.pitch, cell.x, cell.y, high, colour))
            if piece(look) and not look.stacks:
                texts.append(_text(piece(look), cell.x, cell.y, _over_a_tile(self._board)))
        return Entity(now, "pieces", cylinders=tuple(discs), texts=tuple(texts))

    def _balls(self, view: TableView[Any], now: Time) -> Entity:
        across = 2 * KIT.ball * self._board.pitch / 1000
        where = [self._points[it.place] for it in view.tracks if it.place in self._points]
        size, high = Vector3(across, across, across), 500 * across
        return Entity(
            now, "balls", spheres=tuple(Sphere(_at(x, y, high), size, STEEL) for x, y in where)
        )


def _looks(view: TableView[Any]) -> tuple[Look, ...]:
    """What lies in each cell, as everybody may know it; () in a game that does not say."""
    game = view.game
    if game.appearance is None:
        return ()
    position = game.visibly(view.public)
    looks = appearance(game).looks(position)
    return tuple(looks[code] for code in position.seen())


def _points(board: Board) -> dict[str, tuple[float, float]]:
    """Where each place lies that a ball can be in, mm."""
    return {
        **{name: board.edge_point(cell, edge) for (cell, edge), name in board.seams.items()},
        **{cell.id: (cell.x, cell.y) for cell in board.cells},
        **{ramp.id: board.lane_point(ramp) for ramp in board.ramps},
        **{zone.id: board.zone_point(zone) for zone in board.zones},
    }


def _at(x: float, y: float, z: float = 0.0) -> ViewerPose:
    return ViewerPose(_point(x, y, z))


def _point(x: float, y: float, z: float = 0.0) -> Vector3:
    """A point of the board, given in mm."""
    return Vector3(round(x / 1000, 5), round(y / 1000, 5), round(z / 1000, 5))


def _squares(colour: bytes, places: list[tuple[float, float]]) -> Triangles:
    red, green, blue = (round(level / 255, 3) for level in colour)
    ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    points = [
        _point(x + dx * LIGHT_MM, y + dy * LIGHT_MM, LIGHT_HIGH_MM)
        for x, y in places
        for dx, dy in ways
    ]
    corners = [4 * k + i for k in range(len(places)) for i in (0, 1, 2, 0, 2, 3)]
    return Triangles(tuple(points), tuple(corners), Color(red, green, blue))


def _disc(pitch: float, x: float, y: float, high: int, colour: int) -> Cylinder:
    """The disc of a stack that has so many below it; -1 is the colour of a card."""
    across, thick = 2 * KIT.radius * pitch, KIT.height * pitch
    blue, green, red = KIT.card if colour < 0 else KIT.pieces[colour]
    return Cylinder(
        _at(x, y, (high + 0.5) * thick),
        _point(across, across, thick),
        Color(*(round(level ** (1 / 2.2), 3) for level in (red, green, blue))),
    )


def _over_a_tile(board: Board) -> float:
    """So high letters lie, mm, that no tile covers."""
    return board.pitch * (KIT.height + 0.05)


def _text(text: str, x: float, y: float, z: float, colour: Color = BLACK) -> ViewerText:
    return ViewerText(_at(x, y, z), TEXT_MM / 1000, colour, text)


def layout(board: Board, topics: Iterable[str], sensors: list[str]) -> dict[str, Any]:
    """The layout of a viewer: the board beside the log, below them the sensors named; and what the
    camera saw, where there is that topic."""
    wide = max((abs(at) for cell in board.cells for at in (cell.x, cell.y)), default=100.0)
    scene = {topic: {"visible": True} for topic in ("/board", "/lights", "/pieces", "/balls")}
    away = (wide + board.pitch) / math.tan(math.radians(FOV_DEG / 2))
    camera = {"distance": round(away / 1000, 3), "perspective": True, "phi": 0}
    panels: dict[str, Any] = {
        "3D!board": {
            "cameraState": {
                **camera,
                "thetaOffset": 0,
                "target": [0, 0, 0],
                "targetOffset": [0, 0, 0],
                "targetOrientation": [0, 0, 0, 1],
                "fovy": FOV_DEG,
                "near": 0.01,
                "far": 100,
            },
            "followMode": "follow-none",
            "followTf": "board",
            "topics": scene,
            "transforms": {"frame:board": {"visible": False}},  # its axes, a metre long
        },
        "RosOut!log": {"searchTerms": [], "minLogLevel": 1, "topicToRender": "/log"},
        "StateTransitions!sensors": {
            "isSynced": True,
            "paths": [
                {
                    "value": f'/sensors{{sensor=="{name}"}}.level',
                    "label": name,
                    "timestampMethod": "receiveTime",
                }
                for name in sensors
            ],
        },
        "Image!camera": {"imageMode": {"imageTopic": "/camera"}},
    }
    beside: Any = "RosOut!log"
    if "/camera" in topics:
        beside = _split("column", "Image!camera", beside, 50)
    else:
        del panels["Image!camera"]
    whole: Any = _split("row", "3D!board", beside, 60)
    if sensors:
        whole = _split("column", whole, "StateTransitions!sensors", 70)
    else:
        del panels["StateTransitions!sensors"]
    return {
        "configById": panels,
        "globalVariables": {},
        "userNodes": {},
        "playbackConfig": {"speed": 1},
        "layout": whole,
    }


def _split(direction: str, first: object, second: object, percent: int) -> dict[str, Any]:
    return {
        "direction": direction,
        "first": first,
        "second": second,
        "splitPercentage": percent,
    }
