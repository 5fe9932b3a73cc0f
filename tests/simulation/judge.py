"""The judge: what must be so whatever goes wrong.

It knows what phones said and were shown, and what is on the disk after a crash, read by SQLite; of
the daemon it knows nothing. What is broken is raised as `BrokenError`.
"""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hexboard.board import Board
from hexboard.facts import Edge, decode_fact
from hexboard.record.beside import claims
from hexboard.record.chain import chain
from hexboard.record.recording import read
from hexboard.record.replay import Replay
from hexboard.words import say
from hexboard.words.errors import HexboardError
from tests.simulation.journal_read import Kept, kept

CRASHES = ("mistake", "crash", "mended", "match")
"""Notices that no power cut and no fault of a device is a reason for."""
CUT = ("recording.unclosed", "recording.empty", "recording.torn")
"""What a kill does to a recording; the power may leave anything of its last second."""
CHANCE = re.compile(r"die|draw|roll|turn|deal|[1-6]$")


class BrokenError(AssertionError):
    """An invariant does not hold."""


def hold(true: object, what: str) -> None:
    if not true:
        raise BrokenError(what)


class Judge:
    """Of one evening of a `game` on a `board`."""

    def __init__(self, game: str, board: Board) -> None:
        self.game, self.board = game, board
        self.said: Counter[str] = Counter()
        """How often people said a move, by its name."""
        self.tapped: set[str] = set()
        """Cells that were tapped on the board."""
        self.moves: dict[str, tuple[str, ...]] = {}
        """The cells of each move that pages were offered."""
        self.shown: dict[tuple[str, str], list[str]] = {}
        """The positions that a phone was shown as final, in order, by match and phone."""
        self.power = False
        """The power has gone this evening."""
        self.entries: dict[str, tuple[str, ...]] = {}
        """What the journal had at the last look, by match."""
        self.over: set[str] = set()
        self.felt: list[tuple[str, bool, int]] = []
        """What the board's inputs did in this life, and when, ns."""

    def sees(self, phone: str, state: dict[str, Any]) -> None:
        """A phone is shown this."""
        for name, places in state.get("moves", ()):
            self.moves[name] = tuple(places)
        if all(line["final"] for line in state["log"]):
            seen = self.shown.setdefault((state["match"], phone), [])
            if not seen or seen[-1] != state["position"]:
                seen.append(state["position"])

    # -------------------------------------------------------------------------------- the disk

    def look(self, image: Mapping[Path, bytes], closed: bool = False) -> dict[str, Kept]:
        """What is on the disk, after a crash or when all is `closed`."""
        matches = kept(image, f"{self.game}.db")
        for (match, _), positions in self.shown.items():
            hold(match in matches, f"lost: the journal has no match {match}")
            self._nothing_lost(matches[match], positions)
        for match, before in self.entries.items():
            now = matches[match].entries
            same = now[: len(before)] == before
            hold(same, f"lost: {match} had {before}, now {now}")
        for it in matches.values():
            self._nothing_invented(it)
        self.entries = {match: it.entries for match, it in matches.items()}
        return matches

    def _nothing_lost(self, it: Kept, shown: list[str]) -> None:
        try:
            line = it.positions(self.board)
        except HexboardError as error:
            raise BrokenError(f"{it.match} cannot be played: {error}") from None
        hold(it.position in ("", line[-1]), f"{it.match} does not come to its own position")
        at = 0
        for position in shown:
            there = [k for k in range(at, len(line)) if line[k] == position]
            hold(there, f"lost: {it.match} was shown final as {position}; kept: {line[at:]}")
            at = there[0]

    def _nothing_invented(self, it: Kept) -> None:
        for action, count in Counter(it.plays).items():
            by_taps = set(self.moves.get(action, "?")) <= self.tapped
            said = self.said[action] >= count or by_taps or CHANCE.match(action)
            hold(said, f"invented: {action} {count} times, said {self.said[action]} times")

    def recordings(self, folder: Path, matches: Mapping[str, Kept]) -> None:
        """What the recordings say that the journal had, it has."""
        for said in claims(folder):
            damage = said.damage
            cut = damage is None or damage.key in CUT or self.power
            hold(cut, f"{said.path.name}: {damage and say(damage)}")
            if not said.n:
                continue
            hold(said.match in matches, f"{said.path.name} knows a match {said.match}")
            entries = matches[said.match].entries
            told = f"{said.path.name} says {said.entries} entries, the journal has {len(entries)}"
            hold(said.entries <= len(entries), told)
            same = said.link in ("", chain(entries[: said.entries]))
            hold(same, f"{said.path.name} had other entries than the journal")

    def recorded(self, path: Path, it: Kept) -> None:
        """A recording that was closed replays, and comes to what the journal has."""
        replay = Replay(path)
        steps = list(replay)
        outcome = replay.outcome
        hold(outcome.damage is None, f"{path.name}: {outcome.damage and say(outcome.damage)}")
        hold(not outcome.differences, f"{path.name} replays otherwise: {outcome.differences[:2]}")
        hold(outcome.position == it.positions(self.board)[-1], f"{path.name} ends otherwise")
        hold(steps, f"{path.name} is empty")

    def edges(self, path: Path, until_ns: int) -> None:
        """What the board's inputs did until then is recorded, whole and in order."""
        found = [
            (body.sensor, body.level)
            for record in read(path)
            if record.topic == "fact" and isinstance(body := decode_fact(record.payload).body, Edge)
        ]
        felt = [(sensor, level) for sensor, level, _ in self.felt]
        early = sum(at < until_ns for _, _, at in self.felt)
        same = felt[: len(found)] == found and len(found) >= early
        hold(same, f"felt {felt[:early]} and then {felt[early:]}, recorded {found}")
