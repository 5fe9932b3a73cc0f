"""The daemon: wires devices, mailbox, sequencer, recorder, table, lights, journal and pages.

One thread steps the table; every device has its own and only posts reports. What a fact costs is
paid in this order: it is recorded, the table steps, lights change, the journal commits, pages are
told. A crash inside the table is recorded with the fact that caused it, and the match reopens at
its last stable position.
"""

import contextlib
import math
import os
import secrets
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from calibration.in_play import InPlay
from controller import __version__, games
from controller.board import EDGES, Board
from controller.devices import dealer
from controller.devices.dealer import Dealer
from controller.effects import Commit, Effect, Refresh, Refuse, Show
from controller.errors import BadFile, Busy, HexboardError
from controller.facts import (
    Body,
    Decide,
    Declare,
    Fact,
    Presence,
    Report,
    Resume,
    Ruling,
    Seal,
    Sequencer,
    Snapshot,
    Start,
    Tick,
    Touch,
    Unseal,
    Watermark,
    encode_fact,
)
from controller.files import unused
from controller.games.hextraction.registering import register
from controller.games.hextraction.tiles import Tile, basic, load_own, written
from controller.lights.frame import Power, Renderer, kept_dark
from controller.mailbox import Mailbox
from controller.record.account import Account
from controller.record.journal import Journal, JournalError, Saved
from controller.record.recording import Recorder
from controller.record.schemas import schemas
from controller.record.sealed import SecretRecorder, open_match
from controller.settings import Settings
from controller.table import LATENESS, Balls, Pieces, Table
from controller.table.secrets import HIDDEN
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
from controller.web.sheet import agreed_sheet, board_sheet, table_sheet
from controller.wires import Wires
from controller.words import Message, Value, message, say

PATIENCE = 0.5
"""Seconds the main loop sleeps at most."""
UNREAD = 20.0
"""Seconds until a simulated player says what the camera did not notice."""
PACE = 0.7
"""Seconds between two things a watched player does."""
LIT_BY = ("pico", "pixels")
"""The sources that drive lights."""
DIP = 1.5
"""Seconds that the lights may be off for the camera, at most."""
NOBODY = -1
"""The side of a page whose curtain is closed."""
REST = 2.0
"""Seconds of the game's lights after a time in which the camera did not get done."""
COMMANDS = 1000
"""What pages may ask for while the main loop is busy; the rest is refused."""


class OtherMatchError(HexboardError):
    """The saved match belongs to another board or other rules."""


class Run(Struct, frozen=True):
    """What `hexboard run` was asked to do."""

    board: Board
    state: Path
    settings: Settings
    game: str = "hextraction"
    options: dict[str, Value] = {}
    simulate: bool = False
    port: int | None = None
    speed: float = 1.0
    seed: int = 1
    watch: bool = False
    empty: bool = False
    calibration: Path | None = None
    """Where the board's calibration is, if it has one."""
    lens: Path | None = None
    """Where a camera's lens file should be."""
    frames: bool = False
    """Keep the pictures that a camera was in doubt about."""
    camera: str = ""
    """The camera over the board: its source's name; of a simulated one, any; "" for none."""
    home: Path | None = None
    """Where people keep files of their own; their tiles are in `tiles/`."""


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
        self._watching = run.watch
        self._watermarks: dict[str, int] = {}
        self._rev = 0
        self._refresh = True
        self._hinted = False
        self._commands: deque[tuple[str, int, Command]] = deque()
        self._presence: dict[str, Presence] = {}
        self.rig: Any = None
        self._player: Any = None
        self._eye: Any = None
        self._over: Any = None
        self._unread: tuple[Body, float] = Declare(-1, ""), math.inf
        """What the hand under the camera did last, and until when it may be read (monotonic s)."""
        self._watcher: Any = None
        self._shots: deque[Any] = deque()
        self._album: Recorder | None = None
        self._wished = ""  # what the camera wants the lights to show, and until when, monotonic
        self._wished_until = 0.0
        self._obliged = ""  # what they do show
        self._unobliging = 0.0  # until when they show the game's, whatever it wants
        self._beacon = 0
        self._wires: Wires | None = None
        self._next_act = 0.0

    # ------------------------------------------------------------------------------ life

    def run(self) -> None:
        """Hold the board, open everything, go until stopped, close everything."""
        with contextlib.ExitStack() as stack:
            options = {**self._brought(), **self.run_.options}
            games.find(self.run_.game).start(self.board, options)  # refused: no trace
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
            stack.callback(self._close_recording)
            if isinstance(begin, Start):
                self._set_up()
            self._devices(stack)
            self._echo(f"hexboard is running {self.board.title!r}. Open this link:")
            self._echo(f"  {self._server.url}")
            self._echo("Press Ctrl-C to stop; the game is kept.")
            for number, remark in enumerate(kept_dark(self.board)):
                self._notices[f"dark {number}"] = remark
                self._echo(say(remark))
            for note in self._calibration.notices:
                self._echo(say(note))
            while not self._stopping:
                self._turn()

    def _close_recording(self) -> None:
        self._recorder.close()
        self._secrets.close()
        if self._opened:
            open_match(self.recording.parent, self.match)

    @property
    def _tiles(self) -> dict[str, Tile]:
        """The tiles of this match."""
        return self.table.position.setting.tiles if isinstance(self.table, Balls) else {}

    def _brought(self) -> dict[str, Value]:
        """People's own tiles, for a new match; one that goes on keeps those it began with."""
        if self.run_.game != "hextraction" or self.run_.home is None:
            return {}
        own = written(load_own(self.run_.home).values())
        return {"tiles": own} if own else {}

    def _lay_open(self) -> None:
        """Let pages ask what this board and its tiles are like."""
        options = {**self._brought(), **self.run_.options}
        agreed = agreed_sheet(games.find(self.run_.game), self.board, options)
        sheet = board_sheet(self.board, self._tiles) | {"agreed": agreed}
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
            from controller.demo.player import player
            from controller.simulator.rig import Rig
            from controller.simulator.world import World

            world = World(self.board, self._tiles, self.run_.seed, self.run_.speed)
            lay_out(world, self.table)
            list(world.run(0))
            self.rig = Rig(self.board, world, self._pixels, self._balls, self._twin_died)
            stack.callback(self.rig.close)
            self._player = player(self.table, world, self.run_.seed)
            if self.run_.camera:
                self._look_on(stack)
            port = self.rig.twin.port
        elif self.run_.camera:
            self._watch_over(stack)
        self._wires = Wires(self.board, port, self.mailbox.post)
        stack.callback(self._wires.close)
        self._light()

    def _look_on(self, stack: contextlib.ExitStack) -> None:
        """A simulated camera looks at the simulated board. Raises `BadText` where it cannot."""
        try:
            from controller.simulator.eye import Eye, Overhead
            from controller.vision.appearance import looks_of
        except ImportError:
            raise HexboardError("vision.not_installed") from None

        kinds = looks_of(self.run_.game, self.table.position)
        post = partial(self._post, "camera")
        sees = self.board, kinds, self.run_.seed, post, self._show
        if isinstance(self.table, Balls):
            self._over = Overhead(*sees, self.rig.lying)
            self._tell_balls()
            self._over.watch()
            stack.callback(self._over.close)
        else:
            self._eye = Eye(*sees)
            self._eye.start(self.table.position)
            stack.callback(self._eye.close)
        self._tell_view()

    def _watch_over(self, stack: contextlib.ExitStack) -> None:
        """A camera looks at the board. What keeps it from that is said; people play without."""
        try:
            from calibration import colours, lens_file, placement
            from calibration.blinking import level
            from controller.vision.appearance import looks_of
            from controller.vision.device import Watching
        except ImportError:
            self._post("camera", Presence(False, say(message("vision.not_installed"))))
            return
        try:
            assert self.run_.lens is not None
            if not self.run_.lens.exists():
                raise HexboardError("camera.no_lens", file=str(self.run_.lens))
            lens = lens_file.load(self.run_.lens).camera
            name, game = self.run_.camera, self.run_.game
            held, before = placement.of(self.run_.lens.parent, self.board, name)
            kit = colours.kit(colours.beside(self.run_.lens.parent, self.board), self.board)
            kinds = looks_of(game, self.table.position)
            post, show = self.mailbox.post, self._show
            keep = self._shots.append if self.run_.frames else None
            self._beacon = level(self.board)
            watching = Watching(
                *(self.board, kinds, name, lens, held, before, kit),
                *(post, show, self._wish, keep),
            )
        except HexboardError as error:
            self._post("camera", Presence(False, str(error)))
        else:
            stack.callback(self._close_album)
            stack.callback(watching.close)
            self._watcher = watching
            self._tell_view()

    def _tell_balls(self) -> None:
        """Let the camera know where balls lie: it counts them."""
        if isinstance(self.table, Balls):
            if self._watcher is not None:
                self._watcher.knows(self.table.at_rest)
            if self._over is not None:
                self._over.known = self.table.at_rest

    def _wish(self, wish: str) -> None:
        """From the camera's thread: what the lights should show it (`Eye.wish`)."""
        self._wished = wish
        self.mailbox.wake()

    def _oblige(self) -> None:
        """Show the camera the lights that it wants, but never for longer than `DIP`."""
        now = time.monotonic()
        if self._wished and not self._wished_until and now > self._unobliging:
            self._wished_until = now + DIP
        elif self._wished_until and not (self._wished and now < self._wished_until):
            if self._wished:  # it had its time
                self._unobliging = now + REST
            self._wished, self._wished_until = "", 0.0
        obliged = self._wished if self._wished_until else ""
        if obliged != self._obliged:
            self._obliged = obliged
            self._light()

    def _keep_doubtful(self) -> None:
        """Put the pictures that the camera, or the table, was in doubt about beside the recording,
        in a file of their own."""
        for _ in range(len(self._shots)):
            shot = self._shots.popleft()
            if not (shot.doubtful or self.table.asking or getattr(self.table, "wrong", ())):
                continue
            if self._album is None:
                self._album = self._new_album()
            self._album.put("frame", shot.at, msgspec.json.encode(shot))

    def _new_album(self) -> Recorder:
        from controller.vision.shot import SCHEMA

        return Recorder(
            unused(self.recording.with_suffix(".frames.mcap")),
            schemas={"frame": SCHEMA},
            attachments={"board.json": msgspec.json.encode(self.board)},
            metadata={"match": self.match, "game": self.run_.game, "code": __version__},
            trouble=self._trouble,
        )

    def _close_album(self) -> None:
        if self._album is not None:
            self._album.close()
            self._album = None

    def _tell_view(self) -> None:
        self._echo(f"{say(message('vision.view'))} http://127.0.0.1:{self._server.port}/camera")

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
            account = Account(self.board, begin)
        except OtherMatchError as error:
            self._notices["match"] = error.message
        except Exception as error:  # a mistake of ours must not keep people from playing
            why = str(error) or type(error).__name__
            self._notices["match"] = message("daemon.no_resume", match=saved.match, why=why[:200])
        else:
            self._open(begin, account)
            return begin
        self.journal.abandon(saved.match)
        return self._begin()

    def _begin(self) -> Start:
        """A new match."""
        start = self._fresh_start()
        self._open(start, Account(self.board, start))
        return start

    def _resume(self, saved: Saved) -> Resume:
        """The saved match as it goes on here, if it is of this board and these rules."""
        start = msgspec.json.decode(saved.start, type=Start)
        ours = self._fresh_start(start.match)
        if (start.board_hash, start.rules) != (self.run_.board.hash, ours.rules):
            raise OtherMatchError("daemon.other_match", match=start.match)
        if any(start.options.get(name) != value for name, value in self.run_.options.items()):
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
                **self.run_.options,
            },
            __version__,
        )

    def _open(self, begin: Start | Resume, account: Account) -> None:
        """A match that goes on in `account`, and its recording."""
        start = begin.start if isinstance(begin, Resume) else begin
        if isinstance(begin, Start):
            # the match belongs to the board file: a calibration since then is no other board
            file = replace(start, board_hash=self.run_.board.hash)
            self.journal.begin(start.match, msgspec.json.encode(file))
        self.match = start.match
        stamp = time.strftime("%Y%m%d-%H%M%S")
        folder = self.run_.state / "recordings"
        with contextlib.suppress(OSError):  # then the recorder says so, and we referee without
            folder.mkdir(exist_ok=True)
        name = f"{start.match}.mcap" if isinstance(begin, Start) else f"{start.match}+{stamp}.mcap"
        self.recording = unused(folder / name)
        about = {"match": start.match, "code": __version__, "python": sys.version.split()[0]}
        self._recorder = Recorder(
            self.recording,
            schemas=schemas(),
            attachments={"board.json": msgspec.json.encode(self.board)},
            metadata=about,
            trouble=self._trouble,
        )
        self._secrets = SecretRecorder(self.recording, schemas(), about, self._trouble)
        self._sequencer = Sequencer(t=time.monotonic_ns())
        self._account = account
        self.journalled = self.table.committed
        self._unsaved: list[str] = []
        self._stands = ""
        self._opened = False
        self._seal_kept = isinstance(begin, Resume) and begin.seal is not None
        now = time.monotonic_ns()
        present = (Report(source, now, body) for source, body in self._presence.items())
        self._feed([Report("table", now, begin), *present])

    @property
    def table(self) -> Table:
        return self._account.table

    def _set_up(self) -> None:
        """Tiles on the simulated board, so that the first ball has something to roll through."""
        if not self.run_.simulate or self.run_.empty or not isinstance(self.table, Balls):
            return
        if not basic().keys() <= self._tiles.keys():
            return  # it is laid out with those
        from controller.demo.player import demo_tiles

        position = self.table.position
        for slot, placed in demo_tiles(self.board, basic(), self.run_.seed).items():
            position = position.with_tile(slot, placed)
        ruling = Ruling(f"position {position}", "demo", "set up for the demo")
        self._feed([Report("demo", time.monotonic_ns(), ruling)])

    # ------------------------------------------------------------------------------ main loop

    def _turn(self) -> None:
        """Take in what has come, step, and push what changed."""
        reports = self.mailbox.drain(self._wait())
        self._oblige()
        self._feed(self._sift(reports))
        self._conclude()
        self._tell_balls()
        try:
            if self._shots:
                self._keep_doubtful()
            for report in reports:
                self._calibration.hear(report)
            for _ in range(len(self._commands)):
                self._obey(*self._commands.popleft())
            if self._unsaved:
                self._save()
            if self._eye is not None and self.table.todo and self._eye.still:
                self._mend()
            if self.table.chance:
                self._post(dealer.NAME, self._dealt())
            elif self._watching:
                self._watch()
            if self.table.position.scores is not None and not self._opened:
                self._open_secrets()
            if self._refresh:
                self._refresh = False
                self._push()
        except Exception:  # a mistake of ours outside the table: the game itself stands
            self._notices["mistake"] = message("daemon.mistake", file=self._keep_crash())

    def _dealt(self) -> Body:
        """What the dealer does next; hidden cards come from a shuffle that is told of first."""
        table = self.table
        if not table.private:
            return self._dealer.deal(table.position)
        if table.seal is None:
            return self._dealer.seal(table.position.deck)
        return self._dealer.deal_sealed(table.position, table.seal, len(table.match.line) - 1)

    def _open_secrets(self) -> None:
        """The match is over: its shuffle is told and checked, its secret segments may be read."""
        self._opened, seal = True, self.table.seal
        if seal is not None and not self.table.unsealed:
            self._feed([Report(dealer.NAME, time.monotonic_ns(), Unseal(seal.seed, seal.salt))])
        open_match(self.recording.parent, self.match)

    def _wait(self) -> float:
        wait = PACE / 4 if self._watching else PATIENCE
        due = self.table.deadline
        if due is not None:
            wait = min(wait, (due + LATENESS - time.monotonic_ns()) / 1e9)
        if self._wished_until:
            wait = min(wait, self._wished_until - time.monotonic())
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
                case Presence(up):
                    if report.source != "journal":  # that one is asked anew by the next commit
                        self._presence[report.source] = report.body
                    if up:
                        self._notices.pop(report.source, None)
                    self._announce(report.source, report.body)
                    if report.source in LIT_BY:
                        self._light()
                    yield report
                case _:
                    yield report

    def _announce(self, source: str, presence: Presence) -> None:
        """Tell the terminal what came or went; where there is no board at all, what to do."""
        up = "table.source_up_note" if presence.why else "table.source_up"
        key = up if presence.up else "table.source_down"
        self._echo(say(message(key, source=source, why=presence.why)))
        if not presence.up and self.rig is None and source == "pico" and not self._hinted:
            self._hinted = True
            self._echo(say(message("daemon.no_board")))

    def _conclude(self) -> None:
        """Give the table the watermark, or the tick, that its next deadline waits for."""
        while (due := self.table.deadline) is not None:
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
            fact = self._sequencer.number(report, time.monotonic_ns())
            heard = self._heard(fact)
            self._recorder.put("fact", fact.t, encode_fact(heard), fact.at)
            if heard != fact:
                self._secrets.put(fact.t, encode_fact(fact), fact.at)
            try:
                effects, told = self._account.step(fact)
            except Exception:  # a mistake of ours: go on from the last stable position
                if isinstance(fact.body, Start | Resume):
                    raise  # it would not
                self._crashed(heard)
                continue
            for record in told:
                self._recorder.put(record.topic, fact.t, record.payload)
            self._do(effects)

    def _heard(self, fact: Fact) -> Fact:
        """A fact as everybody may hear it."""
        try:
            return self._account.heard(fact)
        except Exception:  # a mistake of ours: the step meets it as well, and nobody hears of it
            return replace(fact, body=Declare(NOBODY, HIDDEN))

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:  # light never waits for the disk
            if isinstance(effect, Show):
                self._light()
        for effect in effects:
            if isinstance(effect, Commit):
                self._commit(effect)
            elif isinstance(effect, Refuse):
                self._server.answer(effect.to, effect.message)
            elif isinstance(effect, Refresh):
                self._refresh = True

    def _commit(self, effect: Commit) -> None:
        keep = effect.first - self.journalled
        self._unsaved = [*self._unsaved[:keep], *effect.entries]
        self._stands = effect.position
        self._save()

    def _save(self) -> None:
        """Journal what is not yet journalled; what fails is kept and tried again each turn."""
        try:
            if self.table.seal is not None and not self._seal_kept:
                self.journal.seal(self.match, msgspec.json.encode(self.table.seal))
                self._seal_kept = True
            self.journal.commit(self.match, self.journalled, self._unsaved, self._stands)
        except JournalError as error:
            if "journal" not in self._notices:
                self._notices["journal"] = error.message
                self._post("journal", Presence(False, str(error)))
            return
        self.journalled += len(self._unsaved)
        self._unsaved = []
        if self._notices.pop("journal", None):
            self._post("journal", Presence(True))

    def _crashed(self, fact: Fact) -> None:
        """Drop the table, keep the fact as everybody heard it, tell the people, reopen at the
        last stable position."""
        path = self._keep_crash(encode_fact(fact).decode())
        self._close_recording()
        self._notices["crash"] = message("daemon.crashed", n=fact.n, file=path)
        self._reopen()
        self._light()

    def _keep_crash(self, what: str = "") -> str:
        """Write the traceback beside the recording; where it is."""
        path = self.recording.with_suffix(".crash.txt")
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
            shown = self._shown(frame.data)
            if self._watcher is not None:
                up = any(self._presence.get(source, Presence(False)).up for source in LIT_BY)
                cells = self._lit_cells(shown) if up else ()
                self._watcher.lit(cells, up, self._obliged == "all")
            self._wires.light(shown)
            if self.rig is None:
                self._pixels(b"".join(frame.data[i : i + 3] for i in range(0, len(frame.data), 8)))

    def _shown(self, data: bytes) -> bytes:
        """What the lights show: the game's frame, or what the camera wants."""
        every = bytes((self._beacon,) * 3 + (0,) * 5) * (len(data) // 8)
        return {"dark": bytes(len(data)), "all": every}.get(self._obliged, data)

    def _lit_cells(self, data: bytes) -> tuple[int, ...]:
        """The cells, by number, in which a light is on."""
        lit = {p.cell for k, p in enumerate(self.board.pixels) if any(data[8 * k : 8 * k + 6])}
        return tuple(k for k, cell in enumerate(self.board.cells) if cell.id in lit)

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
            journalled=self.journalled,
            simulated=self.rig is not None,
            watching=self._watching,
            power=self._power,
            notices=list(self._notices.values()),
        )
        marks = self._calibration.scene(self.table.scene())
        state = {"rev": self._rev, "match": self.match, **sheet, "marks": marks}
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
                    if not self._by_hand(Declare(seat, action)):
                        self._post(source, Declare(seat, action))
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
                    self._watching = on and self.rig is not None
                    self._refresh = True
                case Hand():
                    self._hand(command)
                case Register():
                    self._register(command)
        except BadFile as error:
            self._server.answer(source, error.mistakes[0])
        except HexboardError as error:
            self._server.answer(source, error.message)

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

    def _mend(self) -> None:
        """Let the hand under the simulated camera do what is to be done; a board that is wrong is
        left to people, where they play."""
        if self._watching or not (isinstance(self.table, Pieces) and self.table.wrong):
            self._eye.move(self.table.position)

    def _hand(self, hand: Hand) -> None:
        if self.rig is not None and hand.what == "tap":
            self.rig.hand(lambda world: world.tap(hand.at))
            return
        if self._eye is not None and hand.what == "carry":
            self._eye.carry(hand.at, hand.to)
            return
        if self._eye is not None and hand.what == "mend":
            self._eye.move(self.table.position)
            return
        if self.rig is None or not isinstance(self.table, Balls):
            raise HexboardError("daemon.no_hands")
        match hand.what:
            case "drop":
                self.rig.hand(lambda world: world.drop(hand.at))
            case "seat":
                self.rig.hand(lambda world: world.swap(hand.at, hand.tile, hand.rotation))
            case "unseat":
                self.rig.hand(lambda world: world.unseat(hand.at))
            case "lift":
                self.rig.hand(lambda world: world.lift(self._seen(world, hand)))
            case "rail":
                self.rig.hand(lambda world: world.rail(hand.on))
            case _:
                raise HexboardError("web.no_command")

    def _seen(self, world: Any, hand: Hand) -> int:
        """The ball a hand would take: the one nearest to where the page shows ball `hand.ball`,
        for the world numbers its balls as they come and the referee only those that were rolled."""
        point = where(self.board, hand.at)
        if point is None or not world.balls:
            return hand.ball
        spots = {ball.id: ball.at(world.now) for ball in world.balls.values()}
        return int(min(spots, key=lambda id: math.dist(point, spots[id])))

    def _new(self) -> None:
        """End this match and begin another on the board as it lies."""
        self._open_secrets()
        match, recorder, secrets = self.match, self._recorder, self._secrets
        for old in ("match", "crash", "mistake", "recording", "tile"):
            self._notices.pop(old, None)
        self._begin()
        self._lay_open()
        recorder.close()
        secrets.close()
        open_match(self.recording.parent, match)
        self._close_album()
        self.journal.end(match)
        self._set_up()
        if self.rig is not None:
            self.rig.hand(self._furnish)
        if self._eye is not None:
            self._eye.move(self.table.position)
        self._light()

    def _furnish(self, world: Any) -> None:
        """The simulated board as this match begins, with the tiles it is played with."""
        world.tiles = self._tiles
        lay_out(world, self.table)

    def _watch(self) -> None:
        """The simulated players do the next thing, at a pace people can follow."""
        if time.monotonic() < self._next_act or not (self.rig.still and self.table.quiet):
            return
        if self._eye is not None and not self._eye.shows(self.table.position):
            self._answer_eye()
            return
        if self._over is not None:
            if not self._over.read and time.monotonic() < self._next_act + UNREAD:
                return
            self._over.read = False
        self._next_act = time.monotonic() + PACE / self.run_.speed
        if self.table.position.scores is not None:
            self._watching = False
            self._refresh = True
            return
        bodies: list[Body] = []
        self.rig.hand(lambda world: bodies.extend(self._player.turn(self.table)))
        for body in bodies:
            if not self._by_hand(body):
                self._post("player", body)

    def _by_hand(self, body: Body) -> bool:
        """Let a hand do, under the simulated camera, what somebody declares. False where there is
        no camera, or nothing for it to see: then it has to be said."""
        if self._eye is None or not isinstance(body, Declare):
            return False
        position = self.table.position
        if not self._eye.shows(position):
            raise HexboardError("vision.wait")
        action = position.action(body.action)
        if position.refusal(action) or (after := position.play(action)).seen() == position.seen():
            return False
        self._eye.move(after)
        self._unread = body, time.monotonic() + UNREAD
        return True

    def _answer_eye(self) -> None:
        """A simulated player under the camera says what it did: asked, or when nobody noticed."""
        asking, (body, until) = self.table.asking, self._unread
        if asking:
            names = [choice.name for choice in asking.choices]
            self._post("player", Decide(asking.id, self._eye.truth(self.table.position, names)))
        elif self._eye.still and time.monotonic() > until:
            self._unread = body, math.inf
            self._post("player", body)


def lay_out(world: Any, table: Table) -> None:
    """The table's tiles and balls in the world, and nothing else."""
    for slot in list(world.slots):
        world.unseat(slot)
    for ball in list(world.balls):
        world.lift(ball)
    if isinstance(table, Balls):
        for slot, placed in table.position.tiles.items():
            world.seat(slot, placed.tile, placed.rotation)
        for ball in table.position.balls:
            world.lay(ball.place)


def where(board: Board, place: str) -> tuple[float, float] | None:
    """The point (mm) of a ball's place as pages name it: C3, C3-C4, ramp:B1-6, zone:ZB."""
    points = {f"ramp:{ramp.id}": board.lane_point(ramp) for ramp in board.ramps}
    points |= {f"zone:{zone.id}": board.zone_point(zone) for zone in board.zones}
    points |= {cell.id: (cell.x, cell.y) for cell in board.cells}
    points |= {board.seam(c.id, e): board.edge_point(c.id, e) for c in board.cells for e in EDGES}
    return points.get(place)


def token(path: Path) -> str:
    """The key that opens this board's page: random, kept beside the board so that an open page
    survives a restart. Delete the file to make another."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        kept = path.read_text("ascii").strip()
        if len(kept) >= 22:
            return kept
    made = secrets.token_urlsafe(16)
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(handle, "w", encoding="ascii") as file:
        file.write(made + "\n")
    return made


@contextlib.contextmanager
def lock(path: Path, board: str) -> Iterator[None]:
    """Hold the board: one daemon to each. Raises `Busy`, naming the process that has it."""
    import fcntl

    with open(path, "a+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            raise Busy("daemon.locked", board=board, pid=file.read().strip() or "?") from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
