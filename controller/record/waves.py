"""Waves: a trace as a value change dump (IEEE 1364), which GTKWave and PulseView open.

Sensors are wires, `edge_C1_D1` and `edge_C1_D1_believed`; each ball is a vector of eight bits, the
number of its place, which comments in the head explain; rulings are pulses. Time runs in
microseconds from the window's beginning.
"""

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_letters

from hexboard.record.trace import TraceLine, Window

PULSE_US = 1000
"""How long a ruling is high."""
SCOPES = ("raw", "believed", "ball", "ruling")


def vcd(lines: Sequence[TraceLine], window: Window) -> Iterator[str]:
    """The lines of the file, with their ends."""
    shown = [line for line in lines if line.kind in SCOPES]
    names = dict.fromkeys((line.kind, _name(line)) for line in sorted(shown, key=_order))
    code = {name: _code(k) for k, name in enumerate(names)}
    places = list(dict.fromkeys(line.value for line in shown if line.kind == "ball" and line.value))
    yield "$version hexboard $end\n$timescale 1 us $end\n"
    yield f"$comment 0 is {window.seconds(window.begin):.6f} s after the first fact $end\n"
    for number, place in enumerate(places, 1):
        yield f"$comment ball in {number}: {place} $end\n"
    for scope in SCOPES:
        mine = [name for kind, name in names if kind == scope]
        if mine:
            yield f"$scope module {scope} $end\n"
            for name in mine:
                wide = "reg 8" if scope == "ball" else "wire 1"
                yield f"$var {wide} {code[scope, name]} {name} $end\n"
            yield "$upscope $end\n"
    yield "$enddefinitions $end\n"
    end_us = (window.end - window.begin) // 1000
    yield from _changes(_events(shown, window, places), code, end_us)


def _changes(
    events: Iterable[tuple[int, str, str, str]], code: dict[tuple[str, str], str], end_us: int
) -> Iterator[str]:
    """First how everything stands, then each change under its time."""
    start = {(kind, name): "bx " if kind == "ball" else "x" for kind, name in code}
    later: list[tuple[int, str, str, str]] = []
    for event in sorted(events, key=lambda event: event[0]):
        us, kind, name, value = event
        if us <= 0:
            start[kind, name] = value
        else:
            later.append(event)
    start |= {key: "0" for key in code if key[0] == "ruling" and start[key] == "x"}
    yield "#0\n$dumpvars\n"
    yield from (f"{value}{code[key]}\n" for key, value in start.items())
    yield "$end\n"
    now, last = 0, dict(start)
    for us, kind, name, value in later:
        if last[kind, name] == value:
            continue
        if us != now:
            yield f"#{us}\n"
        now, last[kind, name] = us, value
        yield f"{value}{code[kind, name]}\n"
    if end_us > now:
        yield f"#{end_us}\n"


def _events(
    lines: Iterable[TraceLine], window: Window, places: list[str]
) -> Iterator[tuple[int, str, str, str]]:
    """(µs, scope, name, value) of every change, in no order."""
    end = 0
    for line in lines:
        us = 0 if line.before else max(0, (line.at - window.begin) // 1000)
        if line.kind == "ball":
            number = places.index(line.value) + 1 if line.value else 0
            yield us, line.kind, _name(line), f"b{number:b} "
        elif line.kind == "ruling":
            if us > end:
                yield us, line.kind, _name(line), "1"
                end = us + PULSE_US
                yield end, line.kind, _name(line), "0"
        else:
            yield us, line.kind, _name(line), line.value


def _name(line: TraceLine) -> str:
    """A name without what readers stumble over: `edge_C1_D1`."""
    if line.kind == "ruling":
        return "ruling"
    name = "".join(letter if letter.isalnum() else "_" for letter in line.who)
    return {"ball": f"ball_{name}", "believed": f"{name}_believed"}.get(line.kind, name)


def _order(line: TraceLine) -> tuple[int, str]:
    return SCOPES.index(line.kind), _name(line)


def _code(number: int) -> str:
    """A short code: of letters alone, for signs mean something to some readers."""
    number, rest = divmod(number, len(ascii_letters))
    return (_code(number - 1) if number else "") + ascii_letters[rest]
