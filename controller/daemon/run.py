"""What a daemon was asked to do."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from hexboard.board import Board, plain
from hexboard.devices import ports
from hexboard.settings import Settings
from hexboard.words import Message, Value


class Run(Struct, frozen=True):
    """What `hexboard run` was asked to do."""

    board: Board
    state: Path
    settings: Settings
    game: str
    options: dict[str, Value] = {}
    simulate: bool = False
    port: int | None = None
    lan: bool = False
    """Phones in the same network may reach the page, whatever the settings say."""
    takeback: str = ""
    """Who has to agree before something is taken back; "" as the settings say."""
    clock: str | None = None
    """Minutes a side and seconds that a turn adds ("10+5"); "" for no clock, None as the settings
    say."""
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
    examine: Callable[[], bytes] = bytes
    """What `hexboard doctor` sees of it (JSON), in the language that is spoken."""
    home: Path | None = None
    """Where people keep files of their own; their tiles are in `tiles/`."""
    boards: Callable[[str], Board] = plain
    """The board of a name, for games that another simulated board is needed for."""
    own: Board | None = None
    """The simulated board that hexboard was started with, where another is played on now."""
    chosen: bool = True
    """Somebody said which game; else pages begin with the games that there are."""
    typed: bool = True
    """Options came with the command: a match that has others ends. Without, what was left goes
    on."""
    about: Message | None = None
    """What is said of the board once it plays: how much of it is built, and what people say."""
    anew: bool = False
    """Begin a new match, whatever could go on."""
    names: tuple[str, ...] = ()
    """What the players of a new match are called, by seat; "" for none."""
    colours: tuple[int, ...] = ()
    """Their colours, by seat; -1 for none."""
    said: tuple[str, ...] | None = None
    """Their names as a host has said them at the door, where one did just now: phones go with them,
    once the match is open."""

    @property
    def pico(self) -> str:
        """The serial number of the Pico that is plugged in now; "" for none, or a simulated one."""
        return "" if self.simulate else ports.serial(self.settings.link.port)

    @property
    def calibrating(self) -> str:
        """What people type to finish the calibration of its sensors."""
        flag = " --simulate" if self.simulate else ""
        return f"hexboard calibrate sensors {self.board.name}{flag}"
