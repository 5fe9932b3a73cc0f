"""Person: who does what a wizard asks, and how the wizard shows and hears it.

A wizard knows a person only by this: it shows a `Screen`, and asks now and then what they said. At
a terminal they type; in a simulation a program does what is asked.
"""

import queue
import sys
import threading
import time
from typing import Any, Protocol, TextIO

from msgspec import Struct

from hexboard.words import Message, message, say
from hexboard.words.answers import agreed

ENTER = "ok"
"""What a person says who only presses Enter."""
COLOURS = {"page.done": "green", "page.unsure": "yellow", "page.open": "dim"}
"""Of the columns at a terminal, like the lights; by their titles."""


class Screen(Struct, frozen=True):
    """All there is to see. `ask` is what to do next; `rows` are (group, done, unsure, all)."""

    ask: Message
    wants: str = ""
    """What kind of answer, for a program: `hands_off`, `visit`, `exactly`, `count`, `trigger`,
    `spot`, `colour`, `same`, `yes_no`, `ready`; "" for none."""
    place: str = ""
    """The sensor or light that `ask` speaks of."""
    fired: str = ""
    """The sensor that fired last."""
    visits: int = 0
    """How often one did."""
    heard: Message | None = None
    """What became of the last answer."""
    rows: tuple[tuple[str, int, int, int], ...] = ()
    keys: Message | None = None
    """What can be typed."""
    times: int = 1
    """So many touches are asked for."""
    states: tuple[tuple[str, str], ...] = ()
    """What is known of the lights ("B3/2") and sensors that are being wired: `open`, `done`,
    `dark`, `gone`."""
    cells: tuple[tuple[str, tuple[str, str]], ...] = ()
    """What is written in a cell of the picture, and its tint: `good`, `fair`, `poor`, or ""."""


class Person(Protocol):
    """Somebody at a board."""

    def see(self, screen: Screen) -> None:
        """A new screen; called only when something changed, or they said something."""

    def said(self) -> str:
        """What they said since, "" for nothing, `ENTER` for that key alone; never waits."""


class Typist:
    """A person at a terminal: sees a table that stays in place, or plain lines where the output is
    no terminal; says lines. From the end of the input on it is `q`."""

    def __init__(self, out: TextIO, typed: TextIO) -> None:
        self._out = out
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._ended = False
        self._begun = time.monotonic()
        self._live: Any = None
        self._shown: tuple[Any, ...] = ()
        self._answered = False  # since the last screen
        self._screen: Screen | None = None
        threading.Thread(target=self._read, args=(typed,), name="typist", daemon=True).start()

    def see(self, screen: Screen) -> None:
        self._screen = screen
        if self._live is not None:
            self._live.update(self._table(), refresh=True)
            return
        known = self._shown[:-1] if self._answered else self._shown  # they are asked again
        self._answered = False
        for told in (screen.keys, screen.heard, screen.ask):
            if told is not None and told not in known:
                print(f"{self._counts(screen)}{say(told)}", file=self._out, flush=True)
        self._shown = (screen.keys, screen.heard, screen.ask)

    def said(self) -> str:
        ended = self._ended  # before the last line is taken
        try:
            said = self._lines.get_nowait()
        except queue.Empty:
            return "q" if ended else ""
        self._answered = True
        return said

    def __enter__(self) -> "Typist":
        if self._out.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(file=self._out),
                get_renderable=self._table,
                refresh_per_second=2,
                screen=True,  # typed lines would push another one down
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None  # what is still to be said is said in lines

    def _read(self, typed: TextIO) -> None:
        try:
            for line in typed:
                text = "".join(letter for letter in line if letter.isprintable())
                self._lines.put(text.strip() or ENTER)
        except (OSError, ValueError):  # the input is gone
            pass
        self._ended = True

    def _counts(self, screen: Screen) -> str:
        if not screen.rows:
            return ""
        done, every = sum(row[1] for row in screen.rows), sum(row[3] for row in screen.rows)
        return f"{done}/{every}  "

    def _table(self) -> Any:
        """How far each group is, what became of the last answer, and what to do next."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        screen, seconds = self._screen, int(time.monotonic() - self._begun)
        if screen is None:
            return Text("")
        table = Table(box=None, pad_edge=False)
        table.add_column()
        for title, style in COLOURS.items():
            table.add_column(say(message(title)), justify="right", style=style)
        for group, done, unsure, every in screen.rows:
            left = every - done - unsure
            table.add_row(group, f"{done or ''}", f"{unsure or ''}", f"{left or ''}")
        clock = f"{self._counts(screen)}{seconds // 60}:{seconds % 60:02}"
        return Group(
            *([table] if screen.rows else ()),
            Text(f"\n{say(screen.heard) if screen.heard else ''}"),
            Text(say(screen.ask), style="bold"),
            Text(f"{clock}   {say(screen.keys) if screen.keys else ''}", style="dim"),
        )


def confirmed(person: Person, question: Message) -> bool:
    """Whether the person says yes (`y`); anything else they say is a no."""
    person.see(Screen(question, "yes_no", keys=message("calibration.yes_no_keys")))
    while not (said := person.said()):
        time.sleep(0.05)
    return bool(agreed(said))


def at_terminal() -> Typist:
    """The person at this process's own terminal."""
    return Typist(sys.stderr, sys.stdin)
