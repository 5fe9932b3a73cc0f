"""An evening: people play, things go wrong, the power goes; and in the end all is well again.

It has several lives. In each the daemon is started on what the life before left on the disk; people
play while faults come and go, until the process is killed, the power goes at some step or in the
middle of a write, or somebody ends it. In the last life all faults are mended, and it has to be
well again.
"""

import tempfile
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from hexboard.board import Board, find, load
from hexboard.daemon import Run, Sitting
from hexboard.devices.installer import build
from hexboard.game import registry
from hexboard.settings import LinkSettings, Settings
from tests.simulation.disk import FAILING, FULL, Disk
from tests.simulation.journal_read import Kept
from tests.simulation.judge import CRASHES, BrokenError, Judge, hold
from tests.simulation.network import Network, Phone
from tests.simulation.outside import Clock, simulated
from tests.simulation.scheduler import Scheduler, StuckError
from tests.simulation.wire import PORT, Line

MS = 1_000_000
SECOND = 1_000 * MS
GAMES = {"hexalma": "hexhex-5", "bad-santa-hex": "rhombus-11"}
CELLS = '\n[[sensors]]\nkind = "seat"\nsource = "pico"\nfirst_input = 0\nmin_high_us = 20000\n'
QUICK_S, SLOW_S = 0.002, 8.0
"""The longest that a disk takes for a sync, and one that is slow: people are told of that."""
FELT_NS = 105 * MS
"""By then a finger is felt, where nothing is wrong: a table without watermarks waits longer."""
TOLD_NS = 3_500 * MS
"""By then a fault is told that lasts."""
PATIENCE_S = 40.0
"""By then all is well again that was mended."""


class Outcome(Struct, frozen=True):
    """What became of an evening."""

    seed: int
    broken: str
    """What does not hold; "" where all does."""
    lives: int
    steps: int
    moves: int
    seconds: float
    """Simulated."""
    ends: tuple[str, ...]
    """How its lives ended."""
    faults: tuple[str, ...]
    digest: int
    """Of who had the word when: two runs of a seed have the same."""


class Evening:
    """The evening of a `seed`. `play` it once."""

    def __init__(self, seed: int) -> None:
        def dice(what: str) -> Random:
            return Random(f"{seed} {what}")

        self.seed = seed
        self._plan, self._people = dice("plan"), dice("people")
        self.game = self._plan.choice(sorted(GAMES))
        self.board = board(self.game)
        self.scheduler = Scheduler(dice("scheduler"))
        self.clock = Clock(self.scheduler)
        self._folder = tempfile.TemporaryDirectory(dir="/dev/shm", prefix="hexboard-evening-")
        root = Path(self._folder.name)
        self.state = root / "state"
        self.disk = Disk(root, self.scheduler, dice("disk"))
        self.disk.wall = self.clock.time_ns
        self.network = Network(self.scheduler, dice("network"))
        sensors, pixels = len(self.board.sensors), len(self.board.pixels)
        ours = build(self.board)
        self.line = Line(self.scheduler, dice("line"), sensors, pixels, ours)
        self.judge = Judge(self.game, self.board)
        self.phones = [Phone(name, self.network, self._seen) for name in ("one", "two")]
        self._dice = dice("secrets")
        self._image: dict[Path, bytes] | None = None
        self._ends: list[str] = []
        self._faults: list[str] = []
        self._broken = ""
        self._quiet = False
        self._life = 0
        self.sitting: Sitting

    def play(self) -> Outcome:
        """All of it."""
        parts = self.clock, self.disk, self.network, self.line, self._dice
        try:
            with simulated(self.scheduler, *parts):
                self._lives()
        except (BrokenError, StuckError) as error:
            self._broken = f"{type(error).__name__}: {error}"
        except Exception:
            self._broken = traceback.format_exc()
        finally:
            self.scheduler.kill()
            self.network.down()
            self._folder.cleanup()
        return Outcome(
            self.seed,
            self._broken,
            self._life,
            self.scheduler.steps,
            sum(len(it) for it in self.judge.entries.values()),
            self.scheduler.now / 1e9 - 1000,
            tuple(self._ends),
            tuple(self._faults),
            self.scheduler.digest,
        )

    # ------------------------------------------------------------------------------ its lives

    def _lives(self) -> None:
        for _ in range(self._plan.randint(1, 3)):
            self._live()
            self._end_somehow()
        self._live()
        self._end_well()

    def _live(self) -> None:
        """The daemon is started on what there is, and people play."""
        self._life += 1
        self._began = self.scheduler.now
        self._image = None
        self._quiet = False
        self.disk.settle(self.clock.time_ns())
        settings = Settings(link=LinkSettings(port=PORT))
        run = Run(self.board, self.state, settings, self.game, port=8765)
        self.sitting = Sitting(run, lambda _: None)
        self.scheduler.dead = False
        self.scheduler.start("main", self.sitting.run)
        self.line.plug()
        self.judge.felt.clear()
        self._whole = True
        self._deaf = False  # pages hear late, or nothing more: it ends
        self._wrong = False  # something goes wrong in this life
        self._acts()

    def _end_somehow(self) -> None:
        plan, scheduler = self._plan, self.scheduler
        lasts = self._faults_come(9)
        end = plan.choice(("stop", "kill", "power", "power"))
        if end == "stop":
            self._run(scheduler.now + lasts)
            self._heal()
            self._stop(end)
            return
        if plan.random() < 0.5:
            at = scheduler.steps + plan.randrange(plan.choice((300, 3000, 10_000)))
            self._run(scheduler.now + lasts, lambda: scheduler.steps >= at)
        else:
            self._touches = plan.randrange(plan.choice((60, 600)))
            self.disk.touched = lambda: self._touch(end == "power")
            self._run(scheduler.now + lasts)
        self._crash(end)

    def _faults_come(self, most_s: int) -> int:
        """Some, in the ns to come."""
        plan = self._plan
        lasts = plan.randrange(1, most_s) * SECOND
        for _ in range(plan.randrange(4)):
            self._fault(plan.choice(FAULTS), plan.randrange(lasts))
        return lasts

    def _touch(self, power: bool) -> None:
        self._touches -= 1
        if self._touches == 0:
            self._image = self.disk.image(power)

    def _crash(self, end: str) -> None:
        self._ends.append(end)
        self.disk.touched = lambda: None
        self.judge.power |= end == "power"
        image = self.disk.image(end == "power") if self._image is None else self._image
        self.network.deliver()
        self._gone()
        self.disk.restore(image)
        self.disk.settle(self.clock.time_ns())
        self._looked(image)
        self.scheduler.now += self._plan.randrange(1, 20) * SECOND

    def _looked(self, image: dict[Path, bytes]) -> dict[str, Kept]:
        """The matches in the journal that is there now."""
        matches = self.judge.look(image)
        self.judge.recordings(self.state / "recordings", matches)
        return matches

    def _closed(self, recording: Path, it: Kept, until_ns: int) -> None:
        """The recording that was just closed has it all."""
        self.judge.recorded(recording, it)
        if self._whole:
            self.judge.edges(recording, until_ns)

    def _gone(self) -> None:
        """The process is no more."""
        self.scheduler.kill()
        self.network.down()
        for phone in self.phones:
            phone.lost(phone.line)
        self._heal()

    def _stop(self, end: str) -> None:
        """Somebody ends it, and it ends."""
        self._ends.append(end)
        self._quiet = self._deaf = True
        self.scheduler.start("signal", self.sitting.stop)
        before = self.scheduler.now
        main = [task for task in self.scheduler.tasks if task.name == "main"]
        self._run(before + 60 * SECOND, lambda: all(task.over for task in main))
        hold(all(task.over for task in main), "it does not end when it is asked to")
        daemon = self.sitting.daemon
        sound = daemon is not None and daemon.begun and "recording" not in daemon.notices
        self._gone()
        matches = self._looked(self.disk.image(False))
        if sound and daemon is not None:
            self._closed(daemon.match.recording, matches[daemon.match.name], before - SECOND)
        self.scheduler.now += self._plan.randrange(1, 20) * SECOND

    def _run(self, until_ns: int, true: Callable[[], bool] = lambda: False) -> None:
        scheduler = self.scheduler

        def ended() -> bool:
            if scheduler.failures:
                raise BrokenError(f"a thread died: {scheduler.failures[0]}")
            return self._image is not None or scheduler.now >= until_ns or true()

        scheduler.at(until_ns, lambda: None)
        scheduler.run(ended)

    # -------------------------------------------------------------------------- all is well

    def _end_well(self) -> None:
        """All is mended: it is well again, and what is kept is the same everywhere."""
        self._run(self.scheduler.now + self._faults_come(6))
        self._heal()
        self._quiet = True
        self._run(self.scheduler.now + 2 * SECOND)  # what was begun is done
        end = self.scheduler.now + round(PATIENCE_S * 1e9)
        self._run(end, lambda: not self._ill())
        hold(not self._ill(), f"not well again after {PATIENCE_S} s: {self._ill()}")
        state = self.phones[0].state
        self._stop("well")
        kept = self.judge.look(self.disk.image(False))[state["match"]]
        last = kept.positions(self.board)[-1]
        hold(state["position"] == last, f"shown {state['position']}, kept {last}")

    def _ill(self) -> str:
        """What is not yet well; "" where all is."""
        daemon = self.sitting.daemon
        if daemon is None or not daemon.begun:
            return "it is not open"
        for phone in self.phones:
            state = phone.state
            if not state:
                return f"phone {phone.name} shows nothing"
            if not all(line["final"] for line in state["log"]):
                return "something is not final"
            if not all(link["up"] for link in state["links"]) or not state["links"]:
                return f"something is away: {state['links']}"
            if phone.lights != self.line.frame:
                return "the board is lit otherwise than pages say"
        if self.phones[0].state["position"] != self.phones[1].state["position"]:
            return "two phones show two positions"
        names = {*daemon.notices._told} - {"recording", "mended", "slow"}
        if names:
            return f"told: {sorted(names)} {[*daemon.notices]}"
        return "it is dark" if any(self.line.frame) and not self.line.lit else ""

    def _seen(self, phone: Phone) -> None:
        self.judge.sees(phone.name, phone.state)
        daemon = self.sitting.daemon
        for name in CRASHES:
            told = daemon.notices.get(name) if daemon is not None else None
            torn = told is not None and told.key == "journal.stands" and self.judge.power
            hold(told is None or torn, f"told: {name}: {told}")

    # ---------------------------------------------------------------------------- what happens

    def _acts(self) -> None:
        """People do something, again and again."""
        self.scheduler.after(self._people.randrange(20, 400) * MS, self._act)

    def _act(self) -> None:
        self._acts()
        self._told()
        dice, phone = self._people, self._people.choice(self.phones)
        if not phone.connected:
            self._dial(phone)
        elif self._quiet or not phone.state:
            return
        elif dice.random() < 0.04:
            phone.hang_up()
        elif phone.state["resume"]:
            phone.say("ruling", do="right")
        elif moves := phone.state["moves"]:
            self._move(phone, *dice.choice(moves))
        elif phone.state["phase"] == "over":
            phone.say("new")

    def _told(self) -> None:
        """What is wrong for a while is told on the pages that look on."""
        now, line = self.scheduler.now, self.line
        for phone in self.phones:
            watched = now - phone.since if phone.state and not self._deaf else 0
            if phone.unsaved and min(now - phone.unsaved, watched) > TOLD_NS:
                hold(phone.state["notices"], "what is not saved is not told")
            if not line.plugged and min(now - line.pulled, watched) > TOLD_NS:
                away = any(not link["up"] for link in phone.state["links"])
                hold(away, "a board that is gone is not told")

    @property
    def _linked(self) -> bool:
        """The table knows that the board is there, and has for a while."""
        links = [link for phone in self.phones if phone.state for link in phone.state["links"]]
        up = bool(links) and all(link["up"] for link in links)
        return up and self.scheduler.now - self._began > 2 * SECOND

    def _dial(self, phone: Phone) -> None:
        token = self.state / "token"
        if token.exists():
            phone.dial(token.read_text("ascii", "replace").strip())

    def _move(self, phone: Phone, name: str, places: list[str]) -> None:
        dice = self._people
        if self.board.sensors and len(places) == 2 and dice.random() < 0.4:
            self._tap(places[0], 0)
            self._tap(places[1], dice.randrange(300, 500))
            return
        if dice.random() < 0.1:
            phone.say("ruling", do="undo")
            return
        self.judge.said[name] += 1
        phone.say("declare", seat=-1, action=name)

    def _tap(self, cell: str, wait_ms: int) -> None:
        self.judge.tapped.add(cell)
        (sensor,) = (it for it in self.board.sensors if it.place == cell)
        levels = [(True, wait_ms * MS), (False, (wait_ms + 150) * MS)]
        if self._people.random() < 0.5:  # it bounces
            bounces = range(self._people.randrange(1, 12))
            levels += [(it % 2 == 0, (wait_ms + 1) * MS + 400_000 * it) for it in bounces]
            levels.append((True, (wait_ms + 8) * MS))
        for level, at in levels:
            self.scheduler.after(at, partial(self._feel, sensor, level))
        wait = (wait_ms + 8) * MS + FELT_NS
        self.scheduler.after(wait, partial(self._felt, sensor, self.scheduler.now + wait))

    def _feel(self, sensor: Any, level: bool) -> None:
        if self.line.feel(sensor.input, level) and self.line.device.met:
            self.judge.felt.append((sensor.id, level, self.scheduler.now))

    def _felt(self, sensor: Any, now: int) -> None:
        """Where nothing is wrong, the table knows of a finger soon."""
        daemon = self.sitting.daemon
        last = next((it for it in reversed(self.judge.felt) if it[0] == sensor.id), None)
        if last is None or not last[1] or now - last[2] < FELT_NS:
            return  # it is tapped again
        if daemon is None or not daemon.begun or self._wrong or self._deaf or not self._linked:
            return
        hold(sensor.id in daemon.view.high, f"{sensor.id} is not felt")

    def _fault(self, name: str, wait_ns: int) -> None:
        self._faults.append(name)
        self._deaf |= name == "network slow"
        self._wrong = True
        lasts = self._plan.randrange(100, 7000) * MS
        begin, end = self._fault_of(name)
        self.scheduler.after(wait_ns, begin)
        self.scheduler.after(wait_ns + lasts, end)

    def _fault_of(self, name: str) -> tuple[Callable[[], None], Callable[[], None]]:
        disk, line, network = self.disk, self.line, self.network

        def away() -> None:
            self._whole = False
            line.unplug()

        def reboot() -> None:
            self._whole = False
            line.reboot()

        def step() -> None:
            self.clock.step_ns += self._plan.choice((-3600, -1, 5, 86_400)) * SECOND

        def hangs() -> None:
            self._whole, line.hung = False, True

        def noise() -> None:
            line.noise = self._plan.choice((50, 300, 1500))

        def nothing() -> None:
            pass

        return {
            "disk full": (lambda: _set(disk, "fault", FULL), lambda: _set(disk, "fault", 0)),
            "disk failing": (lambda: _set(disk, "fault", FAILING), lambda: _set(disk, "fault", 0)),
            "disk slow": (
                lambda: _set(disk, "slow_s", SLOW_S),
                lambda: _set(disk, "slow_s", QUICK_S),
            ),
            "cable out": (away, line.plug),
            "Pico reboots": (reboot, nothing),
            "Pico hangs": (hangs, line.works),
            "folder gone": (
                lambda: disk.take_away(self.state),
                lambda: disk.bring_back(self.state),
            ),
            "noise": (noise, lambda: _set(line, "noise", 0)),
            "clock step": (step, nothing),
            "network slow": (
                lambda: _set(network, "slowest_ms", 2000),
                lambda: _set(network, "slowest_ms", 20),
            ),
        }[name]

    def _heal(self) -> None:
        self.disk.fault, self.disk.slow_s, self.line.noise = 0, QUICK_S, 0
        self.network.slowest_ms = 20
        self.disk.bring_back(self.state)
        self.line.works()
        if not self.line.plugged:
            self.line.plug()


FAULTS = (
    "disk full",
    "disk failing",
    "disk slow",
    "cable out",
    "Pico reboots",
    "Pico hangs",
    "folder gone",
    "noise",
    "clock step",
    "network slow",
)


def _set(what: object, name: str, value: object) -> None:
    setattr(what, name, value)


def board(game: str) -> Board:
    """The game's own board; of HexAlma one that feels taps."""
    if game != "hexalma":
        return registry.board(game)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tapped.toml"
        path.write_text(find(GAMES[game]).read_text("utf-8") + CELLS, "utf-8")
        return load(path)
