"""The daemon: wires devices, mailbox, match, lights and pages.

One thread steps the table; every device has its own and only posts reports. What a fact costs is
paid in this order: it is recorded, the table steps, lights change, the journal commits, pages are
told. A crash inside the table is recorded with the fact that caused it, and the match reopens at
its last stable position; for a while only people are heard then, longer each time that it happens
again there, so that no device and no dealer can make it crash without end.
"""

import contextlib
import secrets
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from calibration.in_play import InPlay
from controller import __version__, games
from controller.daemon.camera import Camera
from controller.daemon.holding import lock, token
from controller.daemon.match import Match
from controller.daemon.run import Run
from controller.daemon.simulation import PACE, Simulation, set_up, tiles_of
from controller.devices import dealer
from controller.devices.dealer import Dealer
from controller.effects import Commit, Effect, Refresh, Refuse, Show
from controller.errors import BadFile, HexboardError
from controller.facts import (
    Body,
    Decide,
    Declare,
    Fact,
    Presence,
    Reading,
    Report,
    Resume,
    Ruling,
    Seal,
    Snapshot,
    Start,
    Tick,
    Touch,
    Unseal,
    Watermark,
    encode_fact,
)
from controller.games.hextraction.registering import register
from controller.games.hextraction.tiles import brought
from controller.games.position import agree, in_full
from controller.lights.frame import Power, Renderer, kept_dark
from controller.mailbox import Mailbox
from controller.record.account import Account
from controller.record.journal import Journal, JournalError, Saved
from controller.record.sealed import open_match
from controller.table import LATENESS, Table, open_table
from controller.web.server import (
    Act,
    Answer,
    Command,
    Hand,
    Look,
    New,
    Register,
    Rule,
    Server,
    Touched,
    Watch,
)
from controller.web.sheet import agreed_sheet, board_sheet, named, table_sheet
from controller.wires import Wires
from controller.words import Message, Value, message, say

PATIENCE = 0.5
"""Seconds the main loop sleeps at most."""
LIT_BY = ("pico", "pixels")
"""The sources that drive lights."""
PAUSE, LONGEST_PAUSE = 1, 64
"""Seconds for which only people are heard after a crash: the first time at a position, at most."""
SAID = Declare | Decide | Ruling | Touch
"""What people say."""
NOBODY = -1
"""The side of a page whose curtain is closed."""
COMMANDS = 1000
"""What pages may ask for while the main loop is busy; the rest is refused."""


class OtherMatchError(HexboardError):
    """The saved match belongs to another board or other rules."""


class Daemon:
    """One board's referee. `run` until `stop`."""

    def __init__(self, run: Run, echo: Callable[[str], None]) -> None:
        self.run_ = run
        command = f"hexboard calibrate sensors {run.board.name}{' --simulate' * run.simulate}"
        self._calibration = InPlay(run.board, run.calibration, command)
        self.board = self._calibration.board
        self._echo = echo
        self._dealer = Dealer(run.seed if run.simulate else None)
        self.mailbox = Mailbox()
        self._stopping = False
        self._notices = {note.key: note for note in self._calibration.notices}
        self._renderer = Renderer(self.board, run.settings.lights)
        self._power = Power()
        self._watermarks: dict[str, int] = {}
        self._rev = 0
        self._refresh = True
        self._hinted = False
        self._commands: deque[tuple[str, int, Command]] = deque()
        self._presence: dict[str, Presence] = {}
        self._options: dict[str, Value] = {}  # as a match keeps them
        self.match: Match
        self.simulation: Simulation | None = None
        self._camera: Camera | None = None
        self._pause = 0  # after the last crash, s
        self._resting_until = 0.0  # monotonic s
        self._crashed_at = "", 0  # in which match, after how many entries
        self._looks_since = 0  # a reading of before then is of other tiles, monotonic ns
        self._wires: Wires | None = None

    # ------------------------------------------------------------------------------ life

    def run(self) -> None:
        """Hold the board, open everything, go until stopped, close everything."""
        with contextlib.ExitStack() as stack:
            game = games.find(self.run_.game)
            self._options = in_full(game.OPTIONS, self.run_.options)
            game.start(self.board, {**self._brought(), **self.run_.options})  # refused: no trace
            self.run_.state.mkdir(parents=True, exist_ok=True)
            stack.enter_context(lock(self.run_.state / "lock", self.board.name))
            port = self.run_.settings.web.port if self.run_.port is None else self.run_.port
            self._server = Server(port, token(self.run_.state / "token"), self._take)
            self._server.start()
            stack.callback(self._server.close)
            stack.callback(self._learned)
            self.journal = Journal(self.run_.state / f"{self.run_.game}.db")
            stack.callback(self.journal.close)
            begin = self._reopen()
            self._lay_open()
            stack.callback(lambda: self.match.close())
            if isinstance(begin, Start):
                self._set_up()
            self._devices(stack)
            self._echo(f"hexboard is running {self.board.title!r}. Open this link:")
            self._echo(f"  {self._server.url}")
            if self._camera is not None or (self.simulation is not None and self.run_.camera):
                self._echo(f"{say(message('vision.view'))} {self._server.view}")
            self._echo("Press Ctrl-C to stop; the game is kept.")
            for number, remark in enumerate(kept_dark(self.board)):
                self._notices[f"dark {number}"] = remark
                self._echo(say(remark))
            for note in self._calibration.notices:
                self._echo(say(note))
            while not self._stopping:
                self._turn()

    def _brought(self) -> dict[str, Value]:
        """People's own tiles, for a new match; one that goes on keeps those it began with."""
        if self.run_.game != "hextraction" or self.run_.home is None:
            return {}
        return brought(self.run_.home)

    def _lay_open(self) -> None:
        """Let pages ask what this board and its tiles are like."""
        agreed = agreed_sheet(self.table.game, self.board, self.table.options)
        sheet = board_sheet(self.board, tiles_of(self.table)) | {"agreed": agreed}
        self._server.geometry = msgspec.json.encode(sheet)

    def _learned(self) -> None:
        if (why := self._calibration.keep()) is not None:
            self._echo(say(why))

    def stop(self) -> None:
        """Ask it to end; safe from a signal handler."""
        self._stopping = True
        self.mailbox.wake()

    def _devices(self, stack: contextlib.ExitStack) -> None:
        port = self.run_.settings.link.port
        if self.run_.simulate:
            self.simulation = Simulation(
                self.run_,
                self.board,
                self.table,
                post=self._post,
                pixels=self._pixels,
                balls=self._balls,
                show=self._show,
                died=self._twin_died,
            )
            stack.callback(self.simulation.close)
            port = self.simulation.port
        elif self.run_.camera:
            self._watch_over(stack)
        self._wires = Wires(self.board, port, self.mailbox.post)
        stack.callback(self._wires.close)
        self._light()

    def _watch_over(self, stack: contextlib.ExitStack) -> None:
        """A camera looks at the board. What keeps it from that is said; people play without."""
        try:
            self._camera = Camera(
                self.run_,
                self.board,
                self.table,
                post=self.mailbox.post,
                show=self._show,
                wake=self.mailbox.wake,
                trouble=self._trouble,
            )
        except HexboardError as error:
            self._post("camera", Presence(False, str(error)))
        else:
            stack.callback(self._camera.close)

    def _show(self, picture: bytes) -> None:
        self._server.picture = picture

    def _reopen(self) -> Start | Resume:
        """Go on with the match in the journal if that can be, else say why not and begin anew."""
        saved = self.journal.open_match()
        if saved is None:
            return self._begin()
        try:
            begin = self._resume(saved)
            now = time.monotonic_ns()  # once for trial: what fails would fail at each start
            Account(self.board, begin).step(Fact(1, now, now, "table", begin))
        except OtherMatchError as error:
            self._notices["match"] = error.message
        except Exception as error:  # a mistake of ours must not keep people from playing
            why = str(error) or type(error).__name__
            self._notices["match"] = message("daemon.no_resume", match=saved.match, why=why[:200])
        else:
            self._open(begin)
            return begin
        self.journal.abandon(saved.match)
        open_match(self.run_.state / "recordings", saved.match)
        return self._begin()

    def _begin(self) -> Start:
        """A new match, where none goes on."""
        start = self._entered()
        self._open(start)
        return start

    def _entered(self, after: str = "") -> Start:
        """A new match as the journal has it, which begins when that of the name `after` ends.
        Raises `HexboardError`; then nothing has changed."""
        start = self._fresh_start()
        open_table(self.board, start)  # for trial: what is entered can be played
        # it belongs to the board file: a calibration since then is no other board
        file = replace(start, board_hash=self.run_.board.hash)
        self.journal.begin(start.match, msgspec.json.encode(file), after)
        return start

    def _resume(self, saved: Saved) -> Resume:
        """The saved match as it goes on here, if it is of this board and these rules."""
        start = msgspec.json.decode(saved.start, type=Start)
        ours = self._fresh_start(start.match)
        if (start.board_hash, start.rules) != (self.run_.board.hash, ours.rules):
            raise OtherMatchError("daemon.other_match", match=start.match)
        if not agree(games.find(start.game).OPTIONS, start.options, self._options):
            raise OtherMatchError("daemon.other_options", match=start.match)
        seal = msgspec.json.decode(saved.seal, type=Seal) if saved.seal else None
        return Resume(replace(start, board_hash=self.board.hash), saved.entries, seal)

    def _fresh_start(self, match: str = "") -> Start:
        game = games.find(self.run_.game)
        return Start(
            match or time.strftime("%Y%m%d-%H%M%S-") + secrets.token_hex(2),
            self.board.name,
            self.board.hash,
            game.NAME,
            game.rules(),
            {
                "settle_ms": self.run_.settings.settle_ms,
                "away_ms": self.run_.settings.away_ms,
                **self._brought(),
                **self._options,
            },
            __version__,
        )

    def _open(self, begin: Start | Resume) -> None:
        """A match begins, or goes on where the journal has it."""
        folder = self.run_.state / "recordings"
        self.match = Match(self.board, begin, self.journal, folder, self._trouble)
        now = time.monotonic_ns()
        present = (Report(source, now, body) for source, body in self._presence.items())
        self._feed([Report("table", now, begin), *present])

    @property
    def table(self) -> Table:
        return self.match.table

    def _set_up(self) -> None:
        """Tiles on the simulated board, unless it is to be empty."""
        if self.run_.simulate and not self.run_.empty:
            ruling = set_up(self.board, self.table, self.run_.seed)
            if ruling is not None:
                self._feed([Report("demo", time.monotonic_ns(), ruling)])

    # ------------------------------------------------------------------------------ main loop

    def _turn(self) -> None:
        """Take in what has come, step, and push what changed."""
        reports = self.mailbox.drain(self._wait())
        if self._camera is not None and self._camera.obliged():
            self._light()
        self._feed(self._sift(reports))
        self._conclude()
        for camera in (self._camera, self.simulation):
            if camera is not None:
                camera.knows(self.table)
        try:
            if self._camera is not None:
                self._camera.keep(self.match)
            for report in reports:
                self._calibration.hear(report)
            for _ in range(len(self._commands)):
                self._obey(*self._commands.popleft())
            if not self._journalling:
                self._save()
            if self.table.chance and self._journalling and not self._resting:
                self._post(dealer.NAME, self._dealt())
            if self.simulation is not None and not self._resting:
                self._simulate(self.simulation)
            if self.table.final and self._journalling and not self.match.opened:
                self._open_secrets()
            if self._refresh:
                self._refresh = False
                self._push()
        except Exception:  # a mistake of ours outside the table: the game itself stands
            self._notices["mistake"] = message("daemon.mistake", file=self._keep_crash())

    def _simulate(self, simulation: Simulation) -> None:
        """Let the simulated hands and players do what is theirs."""
        simulation.mend(self.table)
        if simulation.watching and not self.table.chance:
            simulation.play(self.table)
            self._refresh |= not simulation.watching

    def _dealt(self) -> Body:
        """What the dealer does next; hidden cards come from a shuffle that is told of first."""
        table = self.table
        if not table.private:
            return self._dealer.deal(table.position)
        if table.seal is None:
            return self._dealer.seal(table.position.deck)
        return self._dealer.deal_sealed(table.position, table.seal, len(table.match.line) - 1)

    def _open_secrets(self) -> None:
        """The match is over for good: its shuffle is told and checked, its secret segments may be
        read."""
        seal = self.table.seal
        if seal is not None and not self.table.unsealed:
            self._feed([Report(dealer.NAME, time.monotonic_ns(), Unseal(seal.seed, seal.salt))])
        self.match.open()

    def _wait(self) -> float:
        watching = self.simulation is not None and self.simulation.watching
        wait = PACE / 4 if watching else PATIENCE
        due = self.table.deadline
        if due is not None and not self._resting:
            wait = min(wait, (due + LATENESS - time.monotonic_ns()) / 1e9)
        if self._camera is not None:
            wait = min(wait, self._camera.patience)
        return max(0.0, wait)

    def _sift(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Keep watermarks aside until the table has a deadline that one passes; leave out the
        snapshots of each second that say nothing new."""
        for report in reports:
            match report.body:
                case Watermark(until):
                    self._watermarks[report.source] = until
                case Snapshot(high) if self.table.agrees(report.source, high):
                    pass
                case Presence(False, why) if self._needless(report.source):
                    if not self._hinted:
                        self._hinted = True
                        self._echo(say(message("daemon.unlit", why=why)))
                case Reading() if report.at < self._looks_since:
                    pass
                case Presence(up):
                    self._presence[report.source] = report.body
                    if up and report.source != "journal":  # of that one `_save` knows sooner
                        self._notices.pop(report.source, None)
                    self._announce(report.source, report.body)
                    if report.source in LIT_BY:
                        self._light()
                    yield report
                case _ if self._resting and not isinstance(report.body, SAID):
                    pass
                case _:
                    yield report

    def _needless(self, source: str) -> bool:
        """Whether nobody misses this source: it would only light what a camera looks at, and has
        never been there."""
        seen = self._camera is not None and not self.board.sensors
        return seen and source in LIT_BY and source not in self._presence

    def _announce(self, source: str, presence: Presence) -> None:
        """Tell the terminal what came or went; where there is no board at all, what to do."""
        up = "table.source_up_note" if presence.why else "table.source_up"
        key = up if presence.up else "table.source_down"
        self._echo(say(message(key, source=source, why=presence.why)))
        if not presence.up and self.simulation is None and source == "pico" and not self._hinted:
            self._hinted = True
            self._echo(say(message("daemon.no_board")))

    def _conclude(self) -> None:
        """Give the table the watermark, or the tick, that its next deadline waits for."""
        while not self._resting and (due := self.table.deadline) is not None:
            now = time.monotonic_ns()
            ready = [s for s, until in self._watermarks.items() if until >= due]
            if ready:
                until = self._watermarks.pop(ready[0])
                self._feed([Report(ready[0], until, Watermark(until))])
            elif now >= due + LATENESS:
                self._feed([Report("table", now, Tick())])
                if self.table.deadline == due:
                    return
            else:
                return

    def _feed(self, reports: Iterable[Report]) -> None:
        for report in reports:
            try:
                effects = self.match.step(report)
            except Exception:  # a mistake of ours: go on from the last stable position
                if isinstance(report.body, Start | Resume):
                    raise  # it would not
                self._crashed()
            else:
                self._do(effects)

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:  # light never waits for the disk
            if isinstance(effect, Show):
                self._light()
        for effect in effects:
            if isinstance(effect, Commit):
                self.match.commit(effect)
                self._save()
            elif isinstance(effect, Refuse):
                self._refuse(effect.to, effect.message)
            elif isinstance(effect, Refresh):
                self._refresh = True

    @property
    def _journalling(self) -> bool:
        """Whether the journal took all that it was given."""
        return "journal" not in self._notices

    def _save(self) -> None:
        """Journal what stands; what fails is kept and tried again each turn."""
        try:
            self.match.save()
        except JournalError as error:
            self._unsaved(error)
            return
        if self._notices.pop("journal", None):
            self._post("journal", Presence(True))

    def _unsaved(self, error: JournalError) -> None:
        if "journal" not in self._notices:
            self._notices["journal"] = error.message
            self._post("journal", Presence(False, str(error)))

    def _crashed(self) -> None:
        """Drop the table, keep the fact as everybody heard it, tell the people, reopen at the
        last stable position, and hear only people for a while."""
        fact, here = self.match.heard, (self.match.name, self.match.journalled)
        path = self._keep_crash(encode_fact(fact).decode())
        self.match.close()
        self._pause = min(2 * self._pause, LONGEST_PAUSE) if here == self._crashed_at else PAUSE
        self._crashed_at = here
        self._notices["crash"] = message("daemon.crashed", n=fact.n, file=path, seconds=self._pause)
        while not self._reopened():
            if self._stopping:
                return
            time.sleep(PATIENCE)
        self._resting_until = time.monotonic() + self._pause
        if self.match.name != here[0]:
            self._replaced()
        self._light()

    def _reopened(self) -> bool:
        """Reopen after a crash. False where the journal cannot be used: nothing can be played until
        it can, and pages are told."""
        try:
            self._reopen()
        except JournalError as error:
            self._unsaved(error)
            while self._commands:
                self._server.answer(self._commands.popleft()[0], message("table.no_journal"))
            with contextlib.suppress(Exception):  # the table that crashed may not be told
                self._push()
            return False
        return True

    @property
    def _resting(self) -> bool:
        """Whether only people are heard, after a crash."""
        return time.monotonic() < self._resting_until

    def _keep_crash(self, what: str = "") -> str:
        """Write the traceback beside the recording; where it is."""
        path = self.match.recording.with_suffix(".crash.txt")
        with contextlib.suppress(OSError):
            path.write_text(f"{what}\n\n{traceback.format_exc()}", "utf-8")
        return str(path)

    # ------------------------------------------------------------------------------ out

    def _light(self) -> None:
        frame = self._renderer.render(self._calibration.scene(self.table.scene()))
        if frame.power != self._power:
            self._power = frame.power
            self._refresh = True
        if self._wires is not None and frame.data:
            data = frame.data
            if self._camera is not None:
                up = any(self._presence.get(source, Presence(False)).up for source in LIT_BY)
                data = self._camera.light(data, up)
            self._wires.light(data)
            if self.simulation is None:  # there, people see what the firmware lights
                self._pixels(b"".join(frame.data[i : i + 3] for i in range(0, len(frame.data), 8)))

    def _push(self) -> None:
        self._rev += 1
        seats = self._server.looking if self.table.private else set()
        views = {seat: self._state(seat) for seat in seats}
        self._server.publish("state", self._state(NOBODY), views)

    def _state(self, side: int) -> bytes:
        """What a page shows to who sits at `side`; to everybody at -1."""
        sheet = table_sheet(
            self.table,
            side,
            journalled=self.match.journalled,
            simulated=self.simulation is not None,
            watching=self.simulation is not None and self.simulation.watching,
            power=self._power,
            notices=list(self._notices.values()),
        )
        marks = self._calibration.scene(self.table.scene())
        state = {"rev": self._rev, "match": self.match.name, **sheet, "marks": marks}
        return msgspec.json.encode(state)

    def _pixels(self, rgb: bytes) -> None:
        self._server.publish("pixels", msgspec.json.encode({"type": "pixels", "rgb": rgb}))

    def _balls(self, balls: Any) -> None:
        self._server.publish("balls", msgspec.json.encode({"type": "balls", "balls": balls}))

    def _trouble(self, trouble: Message) -> None:
        """The recorder gave up (from its thread): say so, go on refereeing."""
        self._notices["recording"] = trouble
        self._refresh = True
        self.mailbox.wake()

    def _twin_died(self, reason: str) -> None:
        self._notices["pico"] = message("daemon.twin_died", why=reason)
        self._refresh = True
        self.mailbox.wake()

    # ------------------------------------------------------------------------------ in

    def _take(self, source: str, side: int, command: Command) -> None:
        """From the web's thread: leave a command for the main loop."""
        if len(self._commands) >= COMMANDS:
            self._server.answer(source, message("web.too_fast"))
            return
        self._commands.append((source, side, command))
        self.mailbox.wake()

    def _post(self, source: str, body: Body) -> None:
        self.mailbox.post(Report(source, time.monotonic_ns(), body))

    def _obey(self, source: str, side: int, command: Command) -> None:
        try:
            if (
                self.table.private
                and side == NOBODY
                and isinstance(command, Act | Touched | Answer)
            ):
                raise HexboardError("web.curtain")
            seat = side if self.table.private else -1
            match command:
                case Act(action):
                    said = Declare(seat, action)
                    if self.simulation is None or not self.simulation.declare(said, self.table):
                        self._post(source, said)
                case Touched(cells):
                    self._post(source, Touch(cells))
                case Answer(question, choice):
                    self._post(source, Decide(question, choice))
                case Look():
                    self._refresh = True
                case Rule(ruling, why):
                    self._post(source, Ruling(ruling[:2000], "host", why[:200]))
                case New():
                    self._new()
                case Watch(on):
                    if self.simulation is not None:
                        self.simulation.watching = on
                    self._refresh = True
                case Hand() if self.simulation is not None:
                    self.simulation.hand(command, self.table)
                case Hand():
                    raise HexboardError("daemon.no_hands")
                case Register():
                    self._register(command)
        except BadFile as error:
            self._refuse(source, error.mistakes[0])
        except HexboardError as error:
            self._refuse(source, error.message)

    def _refuse(self, source: str, why: Message) -> None:
        """Tell one page why not, with the names of tiles."""
        self._server.answer(source, named(why, self.table.position))

    def _register(self, tile: Register) -> None:
        """Keep a tile that somebody drew, for the next game."""
        home = self.run_.home
        if home is None or self.run_.game != "hextraction":
            raise HexboardError("daemon.no_tiles")
        try:
            registered = register(home, tile.name, tile.owner, tile.nets, tile.sockets)
        except OSError as error:
            raise HexboardError("daemon.not_registered", why=error.strerror or "?") from None
        self._notices["tile"] = message("daemon.registered", tile=registered.name)
        self._refresh = True

    def _new(self) -> None:
        """End this match and begin another on the board as it lies. Raises `HexboardError`; then
        this one goes on."""
        if not self._journalling:
            raise HexboardError("table.no_journal")
        start = self._entered(after=self.match.name)
        self._open_secrets()
        for notice in ("match", "crash", "mistake", "recording", "tile"):
            self._notices.pop(notice, None)
        old = self.match
        self._open(start)
        old.close()
        self._replaced()
        self._light()

    def _replaced(self) -> None:
        """Another match than before is on the board, maybe with other tiles."""
        self._lay_open()
        self._set_up()
        for camera in (self._camera, self.simulation):
            if camera is not None and camera.begin(self.table):
                self._looks_since = time.monotonic_ns()
