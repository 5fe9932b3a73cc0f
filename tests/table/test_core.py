"""The step of a table that senses nothing: facts to parts, deadlines in order, what is shown."""

from collections.abc import Iterable
from pathlib import Path

from hexboard.board import find, load
from hexboard.facts import MS, Body, Declare, Edge, Fact, Lost, Presence, Resume, Start, Tick
from hexboard.games import hexalma
from hexboard.scene import Mark, Meaning, Scene
from hexboard.table.acting import Acting
from hexboard.table.core import Table
from hexboard.table.effects import Commit, Effect, NextBrightness, Refresh, Show, Tell
from hexboard.table.parts import Parts
from hexboard.table.senses import LATENESS_NS
from hexboard.table.sensing import Sensing
from tests.test_pieces import with_sensors

BOARD = load(find("hexhex-5"))
START = Start("m", BOARD.name, BOARD.hash, "hexalma", hexalma.rules(), {}, "test")


class Bell(Sensing[int]):
    """A kind of table that knows nothing of its board but rings at these times, ns."""

    def __init__(self, parts: Parts[int]) -> None:
        super().__init__(parts, Acting(parts))
        self.at = [3_000 * MS, 1_000 * MS]
        self.rung: list[int] = []

    @property
    def timers(self) -> Iterable[tuple[int, str]]:
        return [(at, "bell") for at in self.at]

    def due(self, name: str) -> None:
        self.at.remove(min(self.at))
        self.rung.append(self._parts.now)

    def marks(self) -> list[Mark]:
        return [Mark("a1", Meaning.TODO)] if self.rung else []

    def lit(self, scene: Scene) -> Scene:
        return tuple(mark for mark in scene if mark.meaning is Meaning.TODO)


def plain(parts: Parts[int]) -> Sensing[int]:
    return Sensing(parts, Acting(parts))


def step(table: Table[int], body: Body, t_ms: int = 0, source: str = "page") -> list[Effect]:
    return table.step(Fact(1, t_ms * MS, t_ms * MS, source, body))


def test_a_move_is_told_commits_and_is_shown_in_that_order() -> None:
    table = Table(hexalma.GAME, BOARD, START, plain)
    first = step(table, Tick())
    effects = step(table, Declare(0, "b3-c3"))
    assert [type(effect) for effect in first] == [Show, Refresh]
    assert [type(effect) for effect in effects] == [Tell, Commit, Show, Refresh]
    assert step(table, Tick()) == []


def test_deadlines_come_one_after_the_other_each_at_its_own_time() -> None:
    table = Table(hexalma.GAME, BOARD, START, Bell)
    bell = table.sensing
    assert isinstance(bell, Bell)
    assert table.deadline == 1_000 * MS
    step(table, Tick(), 1_000 + LATENESS_NS // MS - 1)
    assert bell.rung == []
    step(table, Tick(), 9_000)
    assert bell.rung == [1_000 * MS, 3_000 * MS]
    assert table.deadline is None


def test_what_a_kind_of_table_knows_is_lit_with_the_position() -> None:
    table = Table(hexalma.GAME, BOARD, START, Bell)
    assert table.view().scene == ()
    step(table, Tick(), 9_000)
    step(table, Lost(2), 9_000)
    assert table.view().scene == (Mark("a1", Meaning.TODO),)


def test_a_sensor_that_means_nothing_here_is_shown_and_plays_nothing(tmp_path: Path) -> None:
    table = Table(hexalma.GAME, load(with_sensors(tmp_path)), START, plain)
    step(table, Tick())
    assert step(table, Edge("seat:z9", True), 10, "pico") == []  # not on this board
    step(table, Edge("seat:b3", True), 20, "pico")
    step(table, Tick(), 900)
    view = table.view()
    assert (set(view.high), view.entries) == ({"seat:b3"}, 0)


def test_the_button_for_it_asks_for_other_lights_and_plays_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lit.toml"
    group = '\n[[sensors]]\nkind = "button"\nat = ["lights"]\n'
    path.write_text(find("hexhex-5").read_text("utf-8") + group, "utf-8")
    table = Table(hexalma.GAME, load(path), START, plain)
    step(table, Tick())
    asked = list[Effect]()
    for k in range(2):
        for level, ms in (
            (True, 0),
            (False, 1),
            (True, 2),
            (False, 90),
            (True, 95),
            (False, 150),
        ):  # it bounces
            asked += step(table, Edge("button:lights", level), 1000 * k + ms, "pico")
        asked += step(table, Tick(), 1000 * k + 900)
    assert [it for it in asked if it != Refresh()] == [NextBrightness(), NextBrightness()]
    assert table.view().entries == 0


def test_the_state_is_what_everybody_may_know_at_a_commit_point() -> None:
    table = Table(hexalma.GAME, BOARD, START, plain)
    step(table, Lost(2), source="pico")
    step(table, Declare(0, "b3-c3"))
    assert table.state() == {
        "position": str(table.position),
        "entries": 1,
        "committed": 1,
        "asking": None,
        "out": {},
        "lost": 2,
    }


def test_nothing_invites_to_a_move_before_a_board_that_goes_on_is_looked_over() -> None:
    table = Table(hexalma.GAME, BOARD, Resume(START, ()), plain)
    assert Meaning.LEGAL not in {mark.meaning for mark in table.scene()}
    table.sensing.acting.right()
    assert Meaning.LEGAL in {mark.meaning for mark in table.scene()}


def test_who_is_there_is_told_and_shown() -> None:
    table = Table(hexalma.GAME, BOARD, START, plain)
    (told, *_) = step(table, Presence(False, "gone"), source="pico")
    assert isinstance(told, Tell)
    assert told.messages[0].key == "table.source_down"
    assert table.view().presence == {"pico": Presence(False, "gone")}
