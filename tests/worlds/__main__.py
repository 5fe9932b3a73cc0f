"""Prints an evening: `python -m tests.worlds --seed 7 [--json] [--rolls 12] [KNOB=VALUE …]`."""

import argparse
import sys
from collections.abc import Iterator

import msgspec

from hexboard.facts import Edge, Report, Watermark
from tests.worlds import Evening, Part, evening, turned


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.worlds", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rolls", type=int, default=12)
    parser.add_argument("--json", action="store_true", help="everything, as one JSON value")
    parser.add_argument("knobs", nargs="*", metavar="KNOB=VALUE", help="see tests/worlds/knobs.py")
    said = parser.parse_args(arguments)
    made = evening(said.seed, turned(said.knobs, rolls=said.rolls))
    if said.json:
        sys.stdout.write(msgspec.json.encode(made).decode() + "\n")
        return
    for line in lines(made):
        print(line)


def lines(made: Evening) -> Iterator[str]:
    """Times in s from the evening's beginning: what is so, then what is heard of it."""
    zero = made.parts[0].begin
    for part in made.parts:
        yield f"{(part.begin - zero) / 1e9:9.3f}  {part.kind}, seat {part.seat}"
        yield from (f"           {line}" for line in _truth(part, zero))
        for report, arrival in zip(part.reports, part.arrivals, strict=True):
            if not isinstance(report.body, Watermark):
                stamp, heard = (report.at - zero) / 1e9, (arrival - zero) / 1e9
                yield f"{stamp:9.4f}    heard {heard:.4f}  {_heard(report)}"


def _truth(part: Part, zero: int) -> Iterator[str]:
    for deed in part.deeds:
        ball = f" ball {deed.ball}" if deed.ball else ""
        yield f"{(deed.at - zero) / 1e9:.3f} a hand: {deed.kind} {deed.place}{ball}"
    if roll := part.roll:
        for sign in roll.signs:
            off = f"{(sign.off - sign.on) / 1e6:.1f} ms" if sign.off else "stays"
            speed = f", {sign.speed:.0f} mm/s" if sign.speed else ""
            at = (sign.on - zero) / 1e9
            yield f"{at:.4f} ball {sign.ball} {sign.way} {sign.sensor} ({off}{speed})"
        rests = ", ".join(f"ball {ball} {place}" for ball, place in roll.rests.items())
        yield f"{(roll.end - zero) / 1e9:.3f} at rest: {rests}"
        gone = ", ".join(roll.destroyed) or "no tile"
        yield "won" if roll.won else f"{gone} destroyed"
        if roll.outage or roll.open_rule:
            yield f"{roll.outage} {roll.open_rule}".strip()
    for action in part.declares:
        yield f"{(part.end - zero) / 1e9:.3f} says: {action}"


def _heard(report: Report) -> str:
    body = report.body
    if isinstance(body, Edge):
        return f"{body.sensor} {'high' if body.level else 'low'}"
    return msgspec.json.encode(body).decode()


if __name__ == "__main__":
    main(sys.argv[1:])
