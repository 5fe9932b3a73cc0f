"""The daemon: wires devices, mailbox, match, lights and pages.

One thread steps the table; every device has its own and only posts reports. What a fact costs is
paid in this order: it is recorded, the table steps, lights change, the journal commits (a slow one
is not waited for), pages are told. A crash inside the table is recorded with the fact that caused
it, and the match reopens at its last stable position; for a while only people are heard then
(`recovery`). What a person says counts or is refused in words, also where we made a mistake.
"""

import contextlib
import gc
import time
from collections.abc import Callable, Iterable
from functools import partial

from hexboard import facts
from hexboard.board import unusual
from hexboard.calibration.in_play import InPlay
from hexboard.daemon import clock
from hexboard.daemon.camera import Camera
from hexboard.daemon.dealing import Dealing
from hexboard.daemon.front import Front
from hexboard.daemon.journald import Journald
from hexboard.daemon.lapse import lapsed
from hexboard.daemon.learning import Learning
from hexboard.daemon.lighting import Lighting
from hexboard.daemon.match import RECORDED, Match
from hexboard.daemon.notices import Notices, farewell
from hexboard.daemon.opening import Opening
from hexboard.daemon.pages import Pages
from hexboard.daemon.recovery import Recovery, crashed, mistaken
from hexboard.daemon.requests import OF_MATCH, Requests
from hexboard.daemon.room import Room
from hexboard.daemon.run import Run
from hexboard.daemon.saving import Saving
from hexboard.daemon.seating import NAME as SEATS
from hexboard.daemon.seating import Seating
from hexboard.daemon.service import Service
from hexboard.daemon.simulation import PACE_S, Simulation
from hexboard.daemon.sources import LIT_BY, Sources
from hexboard.daemon.watchdog import Watchdog
from hexboard.demo.stage import stage
from hexboard.devices.mailbox import Mailbox
from hexboard.devices.open import Wires
from hexboard.game import registry
from hexboard.game.position import Action
from hexboard.lights.frame import kept_dark
from hexboard.record.crashes import keep_crash
from hexboard.record.journal import JournalError
from hexboard.scene import Mark, Meaning, Scene
from hexboard.table import LATENESS_NS, TableView
from hexboard.table.effects import Commit, Effect, NextBrightness, Refresh, Refuse, Show
from hexboard.web.requests import FromPage
from hexboard.words import ENGLISH, Message, message, say, speaking
from hexboard.words.dates import iso_date
from hexboard.words.errors import BadFile, HexboardError

PATIENCE_S = 0.5
"""Seconds the main loop sleeps at most."""
WRONG = Mark("*", Meaning.STUCK)
"""What the lights say in safe mode until somebody chooses a game."""


class Daemon:
    """One board's referee. `run` until `stop`."""

    def __init__(self, run: Run, echo: Callable[[str], None], service: Service) -> None:
        self.run_ = run
        self._service = service
        self._first = not service.opened
        self.front = Front(run, lambda: self._saving.catch_up(self.match))
        self.begun = False
        """The match is open, and what belongs to it."""
        self._calibration = InPlay(run.board, run.calibration, run.calibrating, run.pico)
        self._learning = Learning(self._calibration, echo)
        self.board = self._calibration.board
        self._echo = echo
        self.mailbox = Mailbox[FromPage](guest=lambda it: it.guest)
        log = Journald(run.board.name).note
        self.notices = Notices(self._calibration.notices, self.mailbox.wake, log)
        self.sources = Sources(self.board, run.simulate, self.notices, echo)
        self.recovery = Recovery()
        self._watchdog = Watchdog()
        most, days = run.settings.recordings_gb * 1_000_000_000, run.settings.recordings_days
        self._room = Room(run.state, most, self.notices, echo, days)
        self._saving = Saving(self.notices, self._post, self._room, self.mailbox.wake)
        self._dealing = Dealing(run.seed if run.simulate else None)
        self._stopping = False
        self._hearing = 0  # when what is being heard had arrived, board ns
        self._came = False
        """Pages do not show yet what somebody said, or a sensor."""
        self.match: Match
        self._witnessed: facts.Witnessed | None = self._calibration.known
        self.simulation: Simulation | None = None
        self._camera: Camera | None = None

    @property
    def view(self) -> TableView[Action]:
        """What the table shows now."""
        return self.match.view

    # ------------------------------------------------------------------------------ life

    def run(self) -> None:
        """Hold the board, open everything, go until stopped, close everything."""
        with contextlib.ExitStack() as stack:
            self._opening = Opening(self.run_, self.board, self.notices)  # refused: no trace
            self._serve(stack)
            self.journal = self._opening.journal()
            stack.callback(self.journal.close)
            stack.callback(self._saving.close)
            begin = self._opening.begin(self.journal)
            self._open(begin)
            self._room.make(self.journal)
            stack.callback(lambda: self.match.close())
            stack.callback(lambda: self._saving.finish(self.match))
            stack.callback(lambda: self._learning.finish(self.match.witnessed))
            stack.callback(lambda: farewell(self.view, self._echo))
            self.pages.lay_open(self.view, self.board)
            if isinstance(begin, facts.Start):
                self._set_up()
            self._devices(stack)
            self.pages.call(self.run_)
            self._greet()
            self._watchdog.ready()
            self._service.hear(self.mailbox)
            self.begun = True
            while not (self._stopping or self.front.next):
                self._turn()
                wires = self._lighting.wires
                link = wires.beat if wires is not None else time.monotonic
                self._service.starts.turn(saved=self._saving.done)
                self._watchdog.turn(self.pages.server.beat, self.match.beat, link)

    def stop(self) -> None:
        """Ask it to end; safe from a signal handler."""
        self._stopping = True
        self.mailbox.wake()

    def _serve(self, stack: contextlib.ExitStack) -> None:
        def marked(scene: Scene) -> Scene:
            """With what is not the table's to show."""
            warning = self._service.starts.safe and not self.run_.chosen
            return (*self._calibration.scene(scene), *((WRONG,) if warning else ()))

        self._service.open(self.mailbox)
        server = self._service.server
        self._figures = server.figures
        self._figures.notices, self._figures.presence = self.notices, self.sources.presence
        server.keys.tell(self.notices.hear)
        seating = self._seating = Seating(server.keys)
        server.front = lambda: self.front.sheet(self._service.recordings.listed, seating.told)
        programs = self._service.programs
        self.pages = Pages(server, programs, self._calibration, self.notices, self.mailbox.wake)
        seen = None if self.run_.simulate else self.pages.lit  # else the firmware's are shown
        before, lights = self._service.lighting, self.run_.settings.lights
        self._lighting = Lighting(self.board, lights, marked, seen, before)
        self._service.lighting = self._lighting
        self._requests = Requests(
            self._opening,
            self.pages,
            self.notices,
            tell=lambda source, body: self._feed([facts.Report(source, time.monotonic_ns(), body)]),
            new=lambda run: self._new(run),
            light=self._lighting.adjust,
            renew=self._service.links.renew,
            choose=self.front.choose,
        )
        self._requests.serve(lambda: self.match)

    def _devices(self, stack: contextlib.ExitStack) -> None:
        port = self.run_.settings.link.port
        if self.run_.simulate:
            self.simulation = Simulation(
                self.run_,
                self.board,
                self.view,
                post=self._post,
                pixels=self.pages.pixels,
                balls=self.pages.balls,
                show=self.pages.picture,
                died=lambda why: self.notices.tell("pico", message("daemon.twin_died", why=why)),
            )
            stack.callback(self.simulation.close)
            self._requests.simulation = self.simulation
            port = self.simulation.port
        elif self.run_.camera:
            self._watch_over(stack)
        ours = ""
        if not self.simulation:
            from hexboard.devices.installer import build  # a simulated board needs none of it

            ours = build(self.board)
        self._lighting.wires = Wires(self.board, port, self.mailbox.post, ours)
        stack.callback(self._lighting.wires.close)
        self._light()

    def _watch_over(self, stack: contextlib.ExitStack) -> None:
        """A camera looks at the board. What keeps it from that is said; people play without."""
        try:
            self._camera = self._lighting.camera = Camera(
                self.run_,
                self.board,
                self.view,
                post=self.mailbox.post,
                show=self.pages.picture,
                wake=self.mailbox.wake,
                trouble=partial(self.notices.hear, "album"),
            )
        except HexboardError as error:
            with speaking(ENGLISH):  # it is recorded
                self._post("camera", facts.Presence(False, str(error)))
        else:
            self.sources.watched = True
            stack.callback(self._camera.close)
            if self._camera.unplaced is not None:
                self.notices.tell("unplaced", self._camera.unplaced)

    @property
    def _cameras(self) -> list[Camera | Simulation]:
        """What looks at the board, or may."""
        return [it for it in (self._camera, self.simulation) if it is not None]

    def _greet(self) -> None:
        """Say in the terminal where the page is, and what people should know."""
        watched = self._camera is not None or (self.simulation is not None and self.run_.camera)
        if self._first:
            self._service.links.greet(message("web.running", title=self.board.title), bool(watched))
            if self.run_.about is not None:
                self._echo(say(self.run_.about))
            self._echo(say(message("daemon.stop")))
        else:
            game = registry.find(self.run_.game).title()
            self._echo(say(message("front.played", game=game, title=self.board.title)))
        page = lapsed(self.run_.settings.web.certificate)
        for number, remark in enumerate((*kept_dark(self.board), *unusual(self.board), *page)):
            self.notices.tell(f"board {number}", remark)
            self._echo(say(remark))
        for note in self._calibration.notices:
            self._echo(say(note))

    # ------------------------------------------------------------------------------ matches

    def _open(self, begin: facts.Start | facts.Resume) -> None:
        """A match begins, or goes on; with what earlier matches have shown of the sensors."""
        self.match = self._opening.match(begin, self.journal, self._service.hall)
        self._calibration.played(self.match.recording.stem, iso_date())
        now = time.monotonic_ns()
        known = [facts.Report("table", now, self._witnessed)] if self._witnessed else []
        present = (facts.Report(source, now, body) for source, body in self.sources.known)
        self._feed([facts.Report("table", now, begin), *known, *present])
        self._seating.begin()
        start = facts.started(begin)
        self.front.begins(self.run_, start)
        self._figures.begin(self.run_.state, self.board.title, start.game, self.match.journalled)

    def _set_up(self) -> None:
        """Tiles on the simulated board, unless it is to be empty."""
        if self.run_.simulate and not self.run_.empty:
            ruling = stage(self.view.game).set_up(self.board, self.view, self.run_.seed)
            if ruling is not None:
                self._feed([facts.Report("demo", time.monotonic_ns(), ruling)])

    def _new(self, run: Run) -> None:
        """End this match and begin another on the board as it lies, as `run` says. Raises
        `HexboardError`; then this one goes on."""
        opening = Opening(run, self.board, self.notices)
        start = opening.new(self.journal, after=self.match.name)
        self._opening, self.run_ = opening, run
        self._open_secrets()
        self.notices.drop("crash", "mistake", *RECORDED, *OF_MATCH)
        old, self._witnessed = self.match, self.match.witnessed
        self._open(start)
        self.pages.call(run)
        old.close()
        del old
        gc.collect()  # its parts refer to each other
        self._room.make(self.journal)
        self._replaced()
        self._light()

    def _replaced(self) -> None:
        """Another match than before is on the board, maybe with other tiles."""
        self.pages.lay_open(self.view, self.board)
        self._set_up()
        for camera in self._cameras:
            if camera.begin(self.view):
                self.sources.looks_since = time.monotonic_ns()

    def _open_secrets(self) -> None:
        """The match is over for good: its shuffle is told and checked, its secret segments may be
        read."""
        if (proof := self._dealing.proof(self.view)) is not None:
            self._feed([facts.Report(facts.DEALER, time.monotonic_ns(), proof)])
        if not self.match.opened:
            self._learning.keep(self.match.witnessed)
        self.match.open()

    # ------------------------------------------------------------------------------ main loop

    def _turn(self) -> None:
        """Take in what has come, step, and push what changed."""
        come = self.mailbox.drain(self._wait(), self.match.deadline)
        self.pages.stale |= self._lighting.tick(clock.minute(self.notices))
        obliged = self._camera is not None and self._camera.obliged()
        if obliged or ((due := self._lighting.due) is not None and due <= time.monotonic_ns()):
            self._light()
        for came, it in zip(self.mailbox.arrivals, come, strict=True):
            self._hearing = came
            if isinstance(it, facts.Report):
                self._hear(it)
            else:
                self._obey(it)
        self._hearing = 0
        self._conclude()
        try:
            for camera in self._cameras:
                camera.knows(self.view)
            for it in come:
                if isinstance(it, facts.Report):
                    self._calibration.hear(it)
            self._follow()
        except Exception as error:  # a mistake outside the table: the game itself stands
            notice = self._mistaken(error)
            if self._came or come:  # what came of it may be what no page can be shown
                self.pages.server.tell(notice)
            self._came = False
        else:
            self._came = self.pages.stale and (self._came or bool(come))

    def _mistaken(self, error: Exception) -> Message:
        """Tell people of the mistake that was just caught, by the name of a game that is not ours;
        what they are told."""
        hidden = self.match.secretive
        path = keep_crash(self.match.recording, error, hidden)
        notice = mistaken(self.run_.game, error, hidden, path)
        self.notices.tell("mistake", notice)
        return notice

    def _wait(self) -> float:
        """Seconds until something is due."""
        watching = self.simulation is not None and self.simulation.watching
        wait = PACE_S / 4 if watching else PATIENCE_S
        due = self.match.deadline
        if due is not None and not self.recovery.resting:
            wait = min(wait, (due + LATENESS_NS - time.monotonic_ns()) / 1e9)
        if self._lighting.due is not None:
            wait = min(wait, (self._lighting.due - time.monotonic_ns()) / 1e9)
        if self._camera is not None:
            wait = min(wait, self._camera.patience)
        return max(0.0, min(wait, self.pages.wait()))

    def _hear(self, report: facts.Report) -> None:
        """Let the table hear a report, if it is to."""
        for heard in self.sources.heard(report, self.match.knows, self.recovery.resting):
            if isinstance(heard.body, facts.Presence) and heard.source in LIT_BY:
                self._light()
            self._feed([heard])

    def _conclude(self) -> None:
        """Give the table the watermark, or the tick, that its next deadline waits for."""
        while not self.recovery.resting and (due := self.match.deadline) is not None:
            now = self.mailbox.present
            if (passed := self.sources.passed(due)) is not None:
                self._feed([passed])
            elif now >= due + LATENESS_NS:
                self._feed([facts.Report("table", now, facts.Tick())])
                if self.match.deadline == due:
                    return
            else:
                return

    def _follow(self) -> None:
        """What follows from where the table stands now."""
        if self._camera is not None:
            self._camera.keep(self.match)
        if not self._saving.done or self.match.unsaved:  # as that a pause began
            self._saving.save(self.match)
            self.pages.stale |= self._saving.done
        self._room.again()
        self._saving.turn()
        for word in () if self.recovery.resting or self.pages.calling else self._seating.news():
            self._post(SEATS, word)
        if self.match.chance and self._saving.done and not self.recovery.resting:
            self._post(facts.DEALER, self._dealing.next(self.view))
        if self.simulation is not None and not self.recovery.resting:
            self._simulate(self.simulation)
        if self.match.final and self._saving.done and not self.match.opened:
            self._open_secrets()
        self._refresh()

    def _simulate(self, simulation: Simulation) -> None:
        """Let the simulated hands and players do what is theirs."""
        simulation.mend(self.view)
        if simulation.watching and not (self.view.chance or self.view.paused):
            simulation.play(self.view)
            self.pages.stale |= not simulation.watching

    # ------------------------------------------------------------------------------ the table

    def _feed(self, reports: Iterable[facts.Report]) -> None:
        """Step the table, and do what it asks for."""
        for report in reports:
            self._figures.heard(report)
            try:
                effects = self.match.step(report, self._hearing or self.mailbox.present)
            except Exception as error:  # a mistake: go on from the last stable position
                if isinstance(report.body, facts.Start | facts.Resume):
                    raise  # it would not
                self.pages.answer(report.source, self._crashed(error))
            else:
                self._do(effects)
                if any(isinstance(effect, Show) for effect in effects):
                    self._figures.lit(report.at)

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:  # light never waits for the disk
            if isinstance(effect, Show):
                self._lighting.show(effect.scene, self.sources.lit)
        for effect in effects:
            if isinstance(effect, Commit):
                self.match.commit(effect)
                self._saving.save(self.match)
                self._service.starts.turn(moved=self.begun, saved=self._saving.done)
                self._figures.saved(self.match.journalled, len(self.view.failing))
            elif isinstance(effect, Refuse):
                self.pages.refuse(effect.to, effect.message, self.view)
            elif isinstance(effect, NextBrightness):
                self._lighting.brighten()
            elif isinstance(effect, Refresh):
                self.pages.stale = True

    def _light(self) -> None:
        self._lighting.show(self.view.scene, self.sources.lit)

    def _refresh(self) -> None:
        lighting = self._lighting
        self.pages.refresh(
            self.match, self.simulation, lighting.power, lighting.settings, self.run_.chosen
        )

    def _crashed(self, error: Exception) -> Message:
        """Drop the table, keep the fact as everybody heard it, tell the people, reopen at the
        last stable position, and hear only people for a while; what people are told."""
        fact, old = self.match.heard, self.match.name
        self._figures.crashes += 1
        self._saving.settle(self.match)
        hidden, what = self.match.secretive, facts.encode_fact(fact).decode()
        path = keep_crash(self.match.recording, error, hidden, what)
        self._witnessed = self.match.witnessed
        self.match.close()
        self.recovery.crashed(old, self.match.journalled)
        pause = self.recovery.pause
        notice = crashed(self.run_.game, error, hidden, path, fact.n, pause)
        self.notices.tell("crash", notice)
        while not self._reopened():
            if self._stopping:
                return notice
            self._watchdog.turn()  # it does not hang: it waits for room on the disk
            time.sleep(PATIENCE_S)
        self.recovery.rest()
        if self.match.name != old:
            self._replaced()
        self._light()
        return notice

    def _reopened(self) -> bool:
        """Reopen after a crash. False where the journal cannot be used: nothing can be played until
        it can, and pages are told."""
        try:
            self._open(self._opening.first(self.journal))
        except JournalError as error:
            self._saving.failed(error)
            for request in self.mailbox.requests():
                self.pages.server.turn_away(request, message("table.no_journal"))
            with contextlib.suppress(Exception):  # the table that crashed may not be told
                self._refresh()
            return False
        return True

    # ------------------------------------------------------------------------------ in

    def _post(self, source: str, body: facts.Body) -> None:
        self.mailbox.post(facts.Report(source, time.monotonic_ns(), body))

    def _obey(self, request: FromPage) -> None:
        """Do what a page asks for, or tell it why not."""
        with self.pages.answering(request):
            try:
                self._requests.obey(request, self.view, self.match.name)
            except BadFile as error:
                self.pages.refuse(request.source, error.mistakes[0], self.view)
            except HexboardError as error:
                self.pages.refuse(request.source, error.message, self.view)
            except OSError as error:  # this computer's: a full disk, no descriptors
                refused = message("daemon.no_file", why=error.strerror or str(error))
                self.pages.refuse(request.source, refused, self.view)
            except Exception as error:  # a mistake: who asked is told, and the game itself stands
                self.pages.answer(request.source, self._mistaken(error))
