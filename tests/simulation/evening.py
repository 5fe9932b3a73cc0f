"""An evening: people play, things go wrong, the power goes; and in the end all is well again.

It has several lives. In each the daemon is started on what the life before left on the disk; people
play while faults come and go, until the process is killed, the power goes at some step or in the
middle of a write, or somebody ends it. In the last life all faults are mended, and it has to be
well again.
"""

import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from hexboard.daemon import Run, Sitting
from hexboard.devices.installer import build
from hexboard.settings import LinkSettings, Settings
from hexboard.words.errors import HexboardError
from tests.simulation.balls import Balls
from tests.simulation.broken import BrokenError, hold
from tests.simulation.disk import Disk
from tests.simulation.faults import QUICK_S, SECOND, Faults
from tests.simulation.guests import Rights
from tests.simulation.hands import Hands
from tests.simulation.journal_read import Kept, shown, told_of
from tests.simulation.judge import CRASHES, Judge
from tests.simulation.network import Network, Phone
from tests.simulation.outside import Clock, simulated
from tests.simulation.people import People
from tests.simulation.scheduler import Scheduler, StuckError
from tests.simulation.tables import TABLES, TILES, agreed
from tests.simulation.wire import PORT, Line

TOLD_NS = 3_500_000_000
"""By then a fault is told that lasts."""
PATIENCE_S = 40.0
"""By then all is well again that was mended."""
NOT_BEGUN = "front.not_begun"
"""Another game could not begin, and the one before goes on: what a broken disk is a reason for."""
STAYS = {"recording", "mended", "missed", "slow", "looked"}
"""Notices that stay when all is well again."""


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
    counts: dict[str, int]
    """Of what was looked at beside that."""
    digest: int
    """Of who had the word when: two runs of a seed have the same."""


class Evening:
    """The evening of a `seed`. `play` it once."""

    def __init__(self, seed: int) -> None:
        def dice(what: str) -> Random:
            return Random(f"{seed} {what}")

        self.seed = seed
        self._plan = dice("plan")
        self.table = self._plan.choice(TABLES)
        self.options = {game: agreed(game, self._plan) for game in self.table.games}
        self.game = self._plan.choice(self.table.games)
        self.board = self.table.load()
        self.scheduler = Scheduler(dice("scheduler"))
        self.clock = Clock(self.scheduler)
        self._folder = tempfile.TemporaryDirectory(dir="/dev/shm", prefix="hexboard-evening-")
        root = Path(self._folder.name)
        self.state = root / "state"
        self.disk = Disk(root, self.scheduler, dice("disk"))
        self.disk.wall = self.clock.time_ns
        self.network = Network(self.scheduler, dice("network"))
        self.network.sends = self._sends
        sensors, pixels = len(self.board.sensors), len(self.board.pixels)
        ours = build(self.board)
        self.line = Line(self.scheduler, dice("line"), sensors, pixels, ours)
        self.rights, self.hands = Rights(), Hands()
        self.judge = Judge(self.board, self.rights)
        self.faults = Faults(self, self._plan)
        self.people = People(self, dice("people"))
        self.balls: Balls | None = None
        if self.table is TILES:
            self.balls = Balls(self, dice("balls"))
        self._dice = dice("secrets")
        self._image: dict[Path, bytes] | None = None
        self._ends: list[str] = []
        self._broken = ""
        self._life = 0
        self.deaf = False
        """Pages hear late, or nothing more: it ends."""
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
            tuple(self.faults.names),
            {
                "seats taken": self.people.joined,
                "thrown off": self.rights.thrown_off,
                "other games": self.people.changes,
                "texts searched for cards": self.hands.looked,
                **(self.balls.counts if self.balls is not None else {}),
            },
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
        self.disk.settle(self.clock.time_ns())
        settings = Settings(link=LinkSettings(port=PORT))
        game, chosen = self.game, self._plan.random() < 0.5
        options = dict(self.options[game])
        run = Run(self.board, self.state, settings, game, options, port=8765, chosen=chosen)
        self.sitting = Sitting(run, lambda _: None)
        self.scheduler.dead = False
        self.scheduler.start("main", self._sits)
        self.line.plug()
        self.judge.felt.clear()
        self.deaf = False
        self.faults.begin()
        self.rights.slow = False
        self.rights.again()
        if self.faults.lost:
            self.rights.anything()
        self.people.begin()
        if self.balls is not None:
            self.balls.begin()

    def _sits(self) -> None:
        """The process. One that finds its folder gone, or its disk failing, before it has begun
        ends in words, and is started again."""
        try:
            self.sitting.run()
        except (HexboardError, OSError):
            begun = self.sitting.daemon is not None and self.sitting.daemon.begun
            if begun or not (self.disk.fault or self.disk.is_away(self.state)):
                raise

    def _end_somehow(self) -> None:
        plan, scheduler = self._plan, self.scheduler
        lasts = self.faults.come(self.table.lasts_s)
        end = plan.choice(("stop", "kill", "power", "power"))
        if end == "stop":
            self._run(scheduler.now + lasts)
            self.faults.heal()
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
        if not self.faults.cut:
            self.judge.edges(recording, until_ns)

    def _gone(self) -> None:
        """The process is no more."""
        self.scheduler.kill()
        self.network.down()
        for phone in self.people.phones:
            phone.lost(phone.line)
        self.faults.heal()

    def _stop(self, end: str) -> None:
        """Somebody ends it, and it ends."""
        self._ends.append(end)
        self.people.quiet = self.deaf = True
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
            if self._broken:
                raise BrokenError(self._broken)
            return self._image is not None or scheduler.now >= until_ns or true()

        scheduler.at(until_ns, lambda: None)
        scheduler.run(ended)

    # -------------------------------------------------------------------------- all is well

    def _end_well(self) -> None:
        """All is mended: it is well again, and what is kept is the same everywhere."""
        self._run(self.scheduler.now + self.faults.come(self.table.lasts_s * 2 // 3))
        self.faults.heal()
        self.people.quiet = True
        self._run(self.scheduler.now + 2 * SECOND)  # what was begun is done
        end = self.scheduler.now + round(PATIENCE_S * 1e9)
        self._run(end, lambda: not self._ill())
        hold(not self._ill(), f"not well again after {PATIENCE_S} s: {self._ill()}")
        state, daemon = self.people.hosts[0].state, self.sitting.daemon
        assert daemon is not None
        entries = daemon.match._transcript.match.entries
        stands = daemon.view.committed == len(entries)  # all that there is
        self._stop("well")
        kept = self.judge.look(self.disk.image(False))[state["match"]]
        last = kept.line(self.board, state["side"])[-1]
        hold(not stands or shown(state) == last, f"shown {shown(state)}, kept {last}")

    def _ill(self) -> str:
        """What is not yet well; "" where all is."""
        daemon = self.sitting.daemon
        if daemon is None or not daemon.begun:
            return "it is not open"
        view = daemon.view
        waits = view.confirm or view.asking or view.todo  # for people, who do nothing now
        if view.game.deals(view.position) and not waits:
            return "something is still to be drawn"
        for phone in self.people.phones:
            state = phone.state
            if not state and not phone.host:
                continue  # it may have been thrown off
            if not state:
                return f"phone {phone.name} shows nothing"
            goes_on = self.balls is not None and not daemon.match.unsaved
            if not all(line["final"] for line in state["log"]) and not goes_on:
                return "something is not final"
            if not all(link["up"] for link in state["links"]) or not state["links"]:
                return f"something is away: {state['links']}"
            if phone.lights != self.line.frame:
                return "the board is lit otherwise than pages say"
            if shown(state) != told_of(daemon.view.seen_by(state["side"])):
                return "a phone shows another position than the table has"
        told = daemon.notices._told
        names = {name for name in told if told[name].key != NOT_BEGUN} - STAYS
        if names:
            return f"told: {sorted(names)} {[*daemon.notices]}"
        return "it is dark" if any(self.line.frame) and not self.line.lit else ""

    def seen(self, phone: Phone) -> None:
        """A phone shows another state."""
        self.judge.sees(phone.name, phone.state)
        daemon = self.sitting.daemon
        for name in CRASHES:
            told = daemon.notices.get(name) if daemon is not None else None
            torn = told is not None and told.key == "journal.stands" and self.judge.power
            disk = told is not None and told.key == NOT_BEGUN and self.faults.wrong
            hold(told is None or torn or disk, f"told: {name}: {told}")

    def _sends(self, phone: Phone, text: str) -> None:
        """The server sends a phone something: nothing that it may not know."""
        try:
            self._may_be_sent(phone, text)
        except BrokenError as error:  # in a task of the loop's, where nobody would hear of it
            self._broken = self._broken or f"BrokenError: {error}"

    def _may_be_sent(self, phone: Phone, text: str) -> None:
        now, daemon = self.scheduler.now, self.sitting.daemon
        if daemon is None or not daemon.begun:
            return
        view = daemon.view
        told = msgspec.json.decode(text)
        self.rights.loose = not view.private or self.network.crowded
        self.rights.slow |= self.disk.slow_s > QUICK_S
        self.rights.late = self.network.crowded or self.faults.told_late
        if told["type"] == "you":
            self.rights.told(told["people"], len(view.position.seats), now, told["host"])
        sides = phone.looks if phone.host else {-1, *self.rights.sides(phone.name, now)}
        if told["type"] == "state":
            gone = self.rights.gone(phone.name, now) and not self.network.crowded
            hold(not gone, f"{phone.name} was thrown off, and is shown the game")
            own = not view.private or told["side"] in sides
            hold(own, f"{phone.name} is shown side {told['side']}, and has {sorted(sides)}")
            if told["match"] != daemon.match.name:
                return  # of the match before
        if view.private and told["type"] in ("state", "refused"):
            match = daemon.match._transcript.match
            self.hands.knows(daemon.match.name, match)
            cards = self.hands.found(text, match, sides)
            hold(not cards, f"{phone.name}, of {sorted(sides)}, is sent {sorted(cards)}: {text}")

    def told(self) -> None:
        """What is wrong for a while is told on the pages that look on."""
        now, line = self.scheduler.now, self.line
        for phone in self.people.phones:
            deaf = self.deaf or self.faults.told_late
            watched = now - phone.since if phone.state and not deaf else 0
            waits = self.balls is not None  # it stands once they lie still
            if phone.unsaved and not waits and min(now - phone.unsaved, watched) > TOLD_NS:
                hold(phone.state["notices"], "what is not saved is not told")
            if not line.plugged and min(now - line.pulled, watched) > TOLD_NS:
                away = any(not link["up"] for link in phone.state["links"])
                hold(away, "a board that is gone is not told")

    @property
    def linked(self) -> bool:
        """The table knows that the board is there, and has for a while."""
        phones = self.people.phones
        links = [link for phone in phones if phone.state for link in phone.state["links"]]
        up = bool(links) and all(link["up"] for link in links)
        return up and self.scheduler.now - self._began > 2 * SECOND
