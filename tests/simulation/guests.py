"""Guests: who may speak for which seat and see its hand, by what was asked for and answered.

The server says who sits where (`you`); whether that can be is told from outside, by invitations
that were taken, seats that were given, and phones that were thrown off.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tests.simulation.broken import hold
from tests.simulation.network import UNDER_WAY_NS

SECOND = 1_000_000_000
SLOWER = 8
"""So many times longer something takes on a slow disk, that lets two syncs wait behind others."""
LEAVES_NS = SECOND // 2
"""By then a phone that was thrown off is sent nothing more."""


class Guest:
    """What is known of one phone, by its name."""

    def __init__(self) -> None:
        self.may: set[int] = set()
        """The seats that it has."""
        self.ever: set[int] = set()
        """Those that it ever asked for, or was given."""
        self.asked: dict[int, int] = {}
        """When it asked for a seat last, or was given it, ns."""
        self.known = False
        """The server has said that it is one of the people."""
        self.leaving = False
        """Something was asked for that may end its key."""
        self.out = 0
        """Since when the server says that it is not, ns; 0 where it is."""

    def waits(self, since: int) -> set[int]:
        """Seats that it was asked for since then: it may have them any moment."""
        return {seat for seat, at in self.asked.items() if at > since}


class Rights:
    """Of all guests of an evening."""

    def __init__(self) -> None:
        self.guests: dict[str, Guest] = {}
        self.loose = False
        """The rules of the game that is played may have two players change seats."""
        self.late = False
        """Who is here is told late: it may be as it was before."""
        self.slow = False
        """The disk takes its time: who is here is kept before it is told."""
        self.thrown_off = 0
        self._renewed = 0
        """When new keys were asked for last, ns: they end what is given until they come."""

    def _since(self, now: int) -> int:
        """What was asked for since then may still be under way."""
        return now - UNDER_WAY_NS * (SLOWER if self.slow else 1)

    def wants(self, name: str, seat: int, now: int) -> None:
        """An invitation is taken, or somebody is given a seat; who has it may lose it."""
        guest = self.guests.setdefault(name, Guest())
        guest.asked[seat] = now
        guest.ever.add(seat)
        since = self._since(now)
        for other in self.guests.values():
            other.leaving |= seat in other.may | other.waits(since) and other is not guest

    def dismissed(self, names: Iterable[str]) -> None:
        """Somebody asked for these to be thrown off."""
        for name in names:
            if name in self.guests:
                self.guests[name].leaving = True
                self.thrown_off += 1

    def renewed(self, now: int) -> None:
        """Somebody asked for new keys."""
        self.dismissed(self.guests)
        self._renewed = now

    def again(self) -> None:
        """A life begins: what was asked for in the one before may have come, and nobody told so."""
        for guest in self.guests.values():
            guest.may |= set(guest.asked)

    def anything(self) -> None:
        """What was kept of them may be lost, or older than it was."""
        for guest in self.guests.values():
            guest.leaving, guest.known, guest.out = True, False, 0
            guest.may = set(guest.ever)

    def told(self, people: Iterable[Mapping[str, Any]], seats: int, now: int, whole: bool) -> None:
        """The server says who is who, in a game of so many seats: the `whole` of them, as hosts
        hear it, or those who are here or have a seat."""
        claimed = {it["name"]: set(it["seats"]) for it in people}
        for name in claimed:
            hold(name in self.guests, f"{name} was never invited")
        for name, guest in self.guests.items():
            if name in claimed:
                self._has(name, guest, claimed[name], seats, now)
            elif not whole:
                continue
            elif not guest.asked or max(guest.asked.values()) < self._since(now) or guest.known:
                ends = guest.leaving or self._renewed > self._since(now)
                lost = guest.known and not ends and not self.late
                hold(not lost, f"{name} was thrown off, and nobody asked for that")
                guest.may, guest.known, guest.out = set(), False, guest.out or now

    def _has(self, name: str, guest: Guest, has: set[int], seats: int, now: int) -> None:
        more = has - guest.may - guest.waits(self._since(now))
        hold(
            self.loose or self.late or not more,
            f"{name} has the seats {more}, and was never given them",
        )
        guest.may = has | {seat for seat in guest.may if seat >= seats}
        guest.known, guest.out = True, 0

    def sides(self, name: str, now: int) -> set[int]:
        """The sides whose hand a guest's phone may be sent now."""
        guest = self.guests.get(name)
        return set() if guest is None else guest.may | guest.waits(self._since(now))

    def gone(self, name: str, now: int) -> bool:
        """A phone was thrown off, and that is some time ago."""
        guest = self.guests.get(name)
        return guest is not None and bool(guest.out) and now - guest.out > LEAVES_NS

    def acted(self, source: str, seat: int, at: int) -> None:
        """A fact is recorded of what somebody said, at a time, in the name of a seat."""
        name = source.partition("(")[2].partition(")")[0]
        if (guest := self.guests.get(name)) is None:
            return
        hold(seat < 0 or seat in guest.ever, f"{name} spoke for seat {seat}, which it never had")
        late = guest.out and at > guest.out + 3 * SECOND
        hold(not late, f"{name} was thrown off, and acts")


def names_of(people: Collection[Mapping[str, Any]], seat: int) -> list[str]:
    """Who of these has a seat."""
    return [it["name"] for it in people if seat in it["seats"]]
