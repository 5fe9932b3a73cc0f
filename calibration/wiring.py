"""Wiring: finds out with a person which light and which sensor hangs on which wire. No camera.

First the colours: one light shows red, green, blue, and the person says what they see. Then the
lights: one is on, and they say where, by its name or by a tap on the sensor there. Then the
sensors: a place pulses, and what changes while they trigger it is its input.
"""

import time
from collections.abc import Callable
from typing import Never

from msgspec import Struct

from hexboard.board import ORDERS, Board, CellId, feels
from hexboard.calibration.answers import WiringAnswers
from hexboard.calibration.chains import Chain, Spot, named
from hexboard.calibration.person import ENTER, Person, Screen
from hexboard.calibration.sensors import HELD, spots
from hexboard.calibration.wizard import BoardGoneError
from hexboard.devices.mailbox import Mailbox
from hexboard.facts import Edge as Change
from hexboard.facts import Presence, Snapshot
from hexboard.lights.frame import PULSE
from hexboard.words import Message, message
from hexboard.words.answers import agreed

INPUTS = tuple(str(i) for i in range(256))
"""What to call the inputs of a link whose wires nobody knows yet."""
LEVEL = 60
"""How bright a light that is asked for is, of 255: clear, and little power."""
COLOURS = {"r": (LEVEL, 0, 0), "g": (0, LEVEL, 0), "b": (0, 0, LEVEL)}
WHITE = (LEVEL, LEVEL, LEVEL)


_COMMANDS = {"back": "back", "n": "n", "no": "n", "y": "y", "yes": "y"}


class Found(Struct, frozen=True):
    """The wiring. `order` is "" for a board without lights; `spots` is None for one, and for a
    strip whose white lights the firmware does not know of yet: the places stay as they are."""

    inputs: dict[str, int]
    spots: tuple[Spot, ...] | None
    order: str
    dark: tuple[int, ...] = ()
    """The lights that people saw stay dark, by their place in the strip from 0."""


class StoppedError(Exception):
    """The person said `q`."""


class Wiring:
    """One board and one person. `light` shows 8 bytes a pixel; `mailbox` gets the edges of inputs
    that are named by `INPUTS`. `board` says which sensors and lights there should be; `answers`
    are those of a sitting that was stopped, and keep the new ones."""

    def __init__(
        self,
        board: Board,
        mailbox: Mailbox[Never],
        light: Callable[[bytes], None],
        person: Person,
        answers: WiringAnswers,
        patience: float = 5.0,
    ) -> None:
        self.board = board
        self._mailbox = mailbox
        self._light = light
        self._person = person
        self._answers = answers
        self._patience = patience
        self._chain = Chain(board)
        self._found: tuple[Spot, ...] = ()
        self._inputs: dict[str, int] = {}
        self._gone: list[str] = []
        self._answered: list[str] = []  # found or gone, in the order in which they were answered
        self._changed: list[tuple[int, bool]] = []
        """Inputs that changed, and to which level."""
        self._answer = (-1, False)
        """The change that was the last answer: a hand that then leaves says nothing."""
        self._up = False
        self._why = ""
        self._begun = time.monotonic()
        self._met = False
        self._heard: Message | None = None
        self._remark: Message | None = None  # of the board itself, once it is there
        self._count = 0

    def run(self) -> Found | None:
        """What was found; None when the person stopped. Raises `BoardGoneError`."""
        try:
            while not self._up:
                self._listen(0.05)
            lit = bool(self.board.pixels)
            order = self._order() if lit else ""
            white = "W" in order and "W" not in self.board.strip.order
            if white:  # the firmware sends three bytes a light: it cannot light them singly yet
                self._heard = message("calibration.has_white")
            spots = self._spots() if lit and not white else None
            self._sensors(spots or ())
            return Found(self._inputs, spots, order, tuple(sorted(self._chain.dark)))
        except StoppedError:
            return None
        finally:
            self._show({})

    # -------------------------------------------------------------------------------- lights

    def _order(self) -> str:
        """The order of the strip's colours, one of those that there are."""
        while (order := self._seen_order()) not in ORDERS:
            self._heard = message("calibration.no_order", order=order)
        return order

    def _seen_order(self) -> str:
        """What is seen when the firmware, which has the board file's order (`hexboard firmware
        install`), sends each colour."""
        order = self.board.strip.order
        seen: dict[str, str] = {}
        light = len(self._chain.dark)
        while len(seen) < 3:
            sent = next(c for c in "rgb" if c not in seen)
            self._show({light: COLOURS[sent]})
            said = self._ask("colour", message("calibration.which_colour", light=light))
            if said == "back":
                seen.clear()
            elif said == "n" and light + 1 < len(self.board.pixels):
                self._skip(light)
                light += 1
            elif said not in ("r", "g", "b") or said in seen.values():
                self._heard = message("calibration.not_colour", said=said[:40])
            else:
                seen[sent] = said
        self._show(dict.fromkeys(range(len(self.board.pixels)), COLOURS["r"]))
        white = "" if "W" in order or self._same() else "W"
        return "".join(seen.get(c.lower(), c) for c in order).upper() + white

    def _same(self) -> bool:
        """Whether all lights have the same colour, as far as the person can see."""
        asks = message("calibration.same")
        while (so := agreed(said := self._ask("same", asks))) is None:
            self._heard = message("calibration.not_yes_no", said=said[:40])
        return so

    def _spots(self) -> tuple[Spot, ...]:
        """Where each light is."""
        while (light := self._chain.next()) is not None:
            self._show({light: WHITE})
            left = len(self._chain.left)
            key = "where" if left > 1 else "probe" if left else "where_each"
            ask = message(f"calibration.{key}", light=light, all=self._chain.length, left=left)
            self._place(light, self._ask("spot", ask, taps=True))
        found = self._chain.spots
        assert found is not None
        return found

    def _place(self, light: int, said: str) -> None:
        """Take in where a light is said to be."""
        if said == "back":
            self._chain.forget()
            return
        if said == "n":
            self._skip(light)
            return
        cell, _, number = said.partition("/")
        edge = int(number) if number.isdecimal() else None
        ring = {p.edge for p in self.board.pixels if p.cell == cell}
        edge = min(ring) if len(ring) == 1 and edge is None else edge
        taken = {spot: i for i, spot in self._chain.answers.items() if i != light}
        if cell not in self.board.cell or (edge is not None and edge not in ring):
            self._heard = message("calibration.no_spot", said=said[:40])
        elif edge is not None and (cell, edge) in taken:
            self._heard = message("calibration.taken", said=said, light=taken[cell, edge])
        elif edge is None and (
            self._chain.answers.get(light) == (cell, None) or not self._chain.left
        ):
            self._heard = message("calibration.which_edge", cell=cell)
        else:
            self._chain.answer(light, cell, edge)
            self._heard = message("calibration.is_at", light=light, spot=said)

    def _skip(self, light: int) -> None:
        """A light stays dark: it is said, noted, and passed."""
        self._chain.skip(light)
        self._heard = message("calibration.dark", light=light)

    # ------------------------------------------------------------------------------- sensors

    def _sensors(self, found: tuple[Spot, ...]) -> None:
        """The input of each of the Pico's sensors; one that nothing answers for is not there."""
        self._found, inputs = found, self._inputs
        sensors = [s for s in self.board.sensors if s.source == "pico"]
        sensors.sort(key=lambda s: s.kind in HELD)
        while todo := [s for s in sensors if s.id not in inputs and s.id not in self._gone]:
            sensor = todo[0]
            self._show(dict.fromkeys(self._lit(sensor.id), WHITE), PULSE)
            kind = feels(sensor.kind, bool(self.board.ramps))
            ask = message(f"calibration.exactly_{kind}", place=sensor.place)
            said = self._ask("trigger", ask, place=sensor.id, counts=(len(inputs), len(sensors)))
            owner = next((s for s, i in inputs.items() if str(i) == said[1:]), "")
            if said == "back":
                self._take_back()
            elif said == "n":
                self._gone.append(sensor.id)
                self._answered.append(sensor.id)
            elif said.startswith("#") and owner:
                self._heard = message("calibration.input_taken", input=said[1:], sensor=owner)
            elif said.startswith("#"):
                inputs[sensor.id] = int(said[1:])
                self._answered.append(sensor.id)
                self._heard = message("calibration.is_on", sensor=sensor.id, input=said[1:])

    def _take_back(self) -> None:
        """The last answer of a sensor is taken back, be it found or gone; it is asked for again."""
        if self._answered:
            sensor = self._answered.pop()
            if self._inputs.pop(sensor, None) is None:
                self._gone.remove(sensor)

    def _lit(self, sensor: str) -> list[int]:
        """The lights at a sensor's place."""
        out = []
        for spot in spots(self.board, sensor):
            cell, _, edge = spot.partition("/")
            out += [i for i, (c, e) in enumerate(self._found) if c == cell and edge in ("", str(e))]
        return out

    def _states(self, wants: str) -> tuple[tuple[str, str], ...]:
        """What is known so far: of the lights, and once they are asked for of the sensors."""
        said = ((c, e) for c, e in self._chain.answers.values() if e is not None)
        at = dict(enumerate(self._found))
        lights = dict.fromkeys(((p.cell, p.edge) for p in self.board.pixels), "open")
        lights |= dict.fromkeys((*said, *self._found), "done")
        lights |= {at[light]: "dark" for light in self._chain.dark if light in at}
        told = [(named(spot), state) for spot, state in lights.items()]
        if wants == "trigger":
            known = dict.fromkeys(self._inputs, "done") | dict.fromkeys(self._gone, "gone")
            told += ((s.id, known.get(s.id, "open")) for s in self.board.sensors)
        return tuple(told)

    # --------------------------------------------------------------------------- person, board

    def _ask(
        self,
        wants: str,
        ask: Message,
        taps: bool = False,
        place: str = "",
        counts: tuple[int, int] | None = None,
    ) -> str:
        """What the person says, in small letters where it is a word; or, as "#17", the input that
        they triggered; or the cell that they tapped. Raises `StoppedError`."""
        about = place or str(dict(ask.values).get("light", ""))
        said = self._answers.again(wants, about)
        if not said:
            said = self._heard_from(wants, ask, taps, place, counts)
            self._answers.put(wants, about, said)
        return said

    def _heard_from(
        self, wants: str, ask: Message, taps: bool, place: str, counts: tuple[int, int] | None
    ) -> str:
        """Ask the person, and wait for the answer."""
        self._quiet()
        rows = (("sensors", counts[0], 0, counts[1]),) if counts else ()
        screen = Screen(
            ask,
            wants,
            place,
            "",
            self._count,
            self._remark or self._heard,
            rows,
            message(f"calibration.keys_{wants}"),
            states=self._states(wants),
        )
        self._person.see(screen)
        self._remark = None
        while True:
            self._listen(0.02)
            if not self._up:
                self._wait()
                self._person.see(screen)
            if self._changed and wants == "trigger":
                self._count += 1
                self._answer = self._changed[0]
                return f"#{self._answer[0]}"
            if taps and self._changed:
                self._answer = self._changed.pop(0)
                if cell := self._tapped(self._answer[0]):
                    return cell
            said = self._person.said()
            if said.lower() == "q":
                raise StoppedError
            if said not in ("", ENTER):
                self._heard = None
                return _COMMANDS.get(said.lower(), said.lower()[:1] if wants == "colour" else said)

    def _wait(self) -> None:
        """The board is gone: say so, and wait until it is back."""
        self._person.see(Screen(message("calibration.away", why=self._why)))
        while not self._up:
            if self._person.said().lower() == "q":
                raise StoppedError
            self._listen(0.05)
        self._quiet()

    def _quiet(self) -> None:
        """Wait until a hand has left the sensor before: its changes are not the next one's."""
        end = time.monotonic() + 2.0
        quiet = time.monotonic() + 0.1
        while time.monotonic() < min(end, quiet):
            self._changed.clear()
            self._listen(0.02)
            if self._changed:
                quiet = time.monotonic() + 0.1
        self._changed.clear()

    def _tapped(self, number: int) -> CellId | None:
        """The cell of an input as the board file has it so far, if its sensor is in one."""
        for sensor in self.board.sensors:
            wire = (sensor.source, sensor.input)
            if wire == ("pico", number) and sensor.place in self.board.cell:
                return sensor.place
        return None

    def _listen(self, timeout: float) -> None:
        for report in self._mailbox.drain(timeout):
            match report.body:
                case Change(sensor, level):
                    if (int(sensor), not level) != self._answer:
                        self._changed.append((int(sensor), level))
                case Snapshot():
                    self._up = self._met = True
                case Presence(False, why):
                    self._up, self._why = False, why
                case Presence(True, note) if note:
                    self._remark = message("calibration.remark", note=note)
        if not self._met and time.monotonic() - self._begun > self._patience:
            raise BoardGoneError("calibration.no_board", why=self._why or "it says nothing")

    def _show(self, lit: dict[int, tuple[int, int, int]], pattern: int = 0) -> None:
        """These lights and no others."""
        if self.board.pixels:
            dark = bytes(8)
            frame = (
                bytes((*lit[i], 0, 0, 0, pattern, 0)) if i in lit else dark
                for i in range(len(self.board.pixels))
            )
            self._light(b"".join(frame))
