"""The judge: what must be so whatever goes wrong.

It knows what phones said and were shown, and what is on the disk after a crash, read by SQLite; of
the daemon it knows nothing. What is broken is raised as `BrokenError`.
"""

import re
from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from hexboard.board import Board
from hexboard.facts import Declare, Edge, decode_fact
from hexboard.game.match import Played
from hexboard.record.beside import claims
from hexboard.record.chain import chain
from hexboard.record.recording import read
from hexboard.record.replay import Replay
from hexboard.words import say
from hexboard.words.errors import HexboardError
from tests.simulation.broken import BrokenError, hold
from tests.simulation.guests import Rights
from tests.simulation.hands import Hands, cards_in
from tests.simulation.journal_read import Kept, kept, shown
from tests.simulation.wire import Felt

CRASHES = ("mistake", "crash", "mended", "missed", "match")
"""Notices that no power cut and no fault of a device is a reason for."""
CUT = ("recording.unclosed", "recording.empty", "recording.torn")
"""What a kill does to a recording; the power may leave anything of its last second."""
CHANCE = re.compile(r"die|draw|roll|turn|deal|start|[1-6]$")

DECK = re.compile(r'"deck":"[^"]*"')
"""All the cards that there are, which everybody knows."""
SEAL = re.compile(r"\b[0-9a-f]{64}\b")


def _blake(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=32).digest()


def final(state: dict[str, Any]) -> bool:
    """Whether a page shows nothing that is not saved: a drawn card need not be told in the log."""
    return all(line["final"] for line in state["log"]) and not state["unsaved"]


class Judge:
    """Of one evening on a `board`."""

    def __init__(self, board: Board, rights: Rights) -> None:
        self.board, self.rights = board, rights
        self.said: Counter[str] = Counter()
        """How often people said a move, by its name."""
        self.tapped: set[str] = set()
        """Cells that were tapped on the board."""
        self.moves: dict[str, tuple[str, ...]] = {}
        """The cells of each move that pages were offered."""
        self.shown: dict[tuple[str, int, str], list[str]] = {}
        """The positions that a phone was shown as final, in order, by match, side and phone."""
        self.seals: dict[str, str] = {}
        """The hash that was told before the first card, by match."""
        self.power = False
        """The power has gone this evening."""
        self.entries: dict[str, tuple[str, ...]] = {}
        """What the journal had at the last look, by match."""
        self.over: set[str] = set()
        self.felt: list[Felt] = []
        """What the board's inputs did in this life."""

    def sees(self, phone: str, state: dict[str, Any]) -> None:
        """A phone is shown this."""
        for name, places in state.get("moves", ()):
            self.moves[name] = tuple(places)
        rolls = "position" not in state and state["phase"] not in ("idle", "over")
        if not rolls and final(state):
            side = state["side"] if state["private"] else -1
            seen = self.shown.setdefault((state["match"], side, phone), [])
            if not seen or seen[-1] != shown(state):
                seen.append(shown(state))
            for line in state["log"]:
                if told := SEAL.search(line["text"]):
                    self._sealed(state["match"], told[0])

    def _sealed(self, match: str, told: str) -> None:
        before = self.seals.setdefault(match, told)
        hold(before == told, f"{match} was shuffled anew: {before}, {told}")

    # -------------------------------------------------------------------------------- the disk

    def look(self, image: Mapping[Path, bytes], closed: bool = False) -> dict[str, Kept]:
        """What is on the disk, after a crash or when all is `closed`."""
        matches = kept(image)
        lines: dict[tuple[str, int], list[str]] = {}
        for match, side, _ in self.shown:
            hold(match in matches, f"lost: the journal has no match {match}")
            if (match, side) not in lines:
                lines[match, side] = self._line(matches[match], side)
        for (match, side, _), positions in self.shown.items():
            self._nothing_lost(match, lines[match, side], positions)
        for match, before in self.entries.items():
            now = matches[match].entries
            same = now[: len(before)] == before
            hold(same, f"lost: {match} had {before}, now {now}")
        for it in matches.values():
            self._nothing_invented(it)
            self._shuffled_once(it)
        self.entries = {match: it.entries for match, it in matches.items()}
        return matches

    def _line(self, it: Kept, side: int) -> list[str]:
        try:
            last = it.line(self.board)[-1]
            hold(it.position in ("", last), f"{it.match} does not come to its own position")
            return it.line(self.board, side)
        except HexboardError as error:
            raise BrokenError(f"{it.match} cannot be played: {error}") from None

    def _nothing_lost(self, match: str, line: list[str], shown: list[str]) -> None:
        at = 0
        for position in shown:
            there = [k for k in range(at, len(line)) if line[k] == position]
            hold(there, f"lost: {match} was shown final as {position}; kept: {line[at:]}")
            at = there[0]

    def _nothing_invented(self, it: Kept) -> None:
        for action, count in Counter(it.plays).items():
            if it.start.game == "hextraction" and not action.startswith("play "):
                continue  # what balls do, and what comes of it
            alike = {action, action.replace(":", "-"), action.replace("-", ":")}  # what lies there
            places = {place for it in alike for place in self.moves.get(it, ())}
            by_taps = bool(places) and places <= self.tapped
            spoken = sum(self.said[it] for it in alike)
            said = spoken >= count or by_taps or CHANCE.match(action)
            hold(said, f"invented: {action} {count} times, said {spoken} times")

    def _shuffled_once(self, it: Kept) -> None:
        """Cards came from the one shuffle that was told of before the first, in its order."""
        if it.seal is None:
            return
        self._sealed(it.match, it.seal.commitment)
        text = f"{it.seal.seed} {it.seal.salt} {it.seal.deck}"
        hold(_blake(text).hex() == it.seal.commitment, f"{it.match}: another shuffle than told")
        drawn: Counter[str] = Counter()
        match = it.played(self.board)
        for position, entry in match.plays:
            waits = match.game.waits(position)
            if waits is None or not isinstance(entry, Played):
                continue
            pile = waits.drawn_from
            cards = [one for one in waits.legal for _ in range(waits.odds(one))]
            number = int.from_bytes(_blake(f"{it.seal.seed} {pile} {drawn[pile]}"), "big")
            due = waits.name(cards[number % len(cards)])
            hold(entry.action == due, f"{it.match}: {entry.action} was dealt, not {due}")
            drawn[pile] += 1

    def recordings(self, folder: Path, matches: Mapping[str, Kept]) -> None:
        """What the recordings say that the journal had, it has."""
        for said in claims(folder):
            damage = said.damage
            cut = damage is None or damage.key in CUT or self.power
            hold(cut, f"{said.path.name}: {damage and say(damage)}")
            if not said.n:
                continue
            hold(said.match in matches, f"{said.path.name} knows a match {said.match}")
            entries = matches[said.match].heard(self.board)
            told = f"{said.path.name} says {said.entries} entries, the journal has {len(entries)}"
            hold(said.entries <= len(entries), told)
            same = said.link in ("", chain(entries[: said.entries]))
            hold(same, f"{said.path.name} had other entries than the journal")

    def recorded(self, path: Path, it: Kept) -> None:
        """A recording that was closed replays, and comes to what the journal has."""
        replay, hands, steps = Replay(path), Hands(), []
        for step in replay:
            steps.append(step)
            hands.knows(it.match, replay.match)
        outcome = replay.outcome
        hold(outcome.damage is None, f"{path.name}: {outcome.damage and say(outcome.damage)}")
        hold(not outcome.differences, f"{path.name} replays otherwise: {outcome.differences[:2]}")
        match = replay.match
        match.forget(len(it.entries))  # what was not yet to stand
        public = str(match.game.public(match.position))
        hold(public == it.public(self.board), f"{path.name} ends otherwise")
        hold(steps, f"{path.name} is empty")
        for step in steps:
            seat = step.fact.body.seat if isinstance(step.fact.body, Declare) else -1
            self.rights.acted(step.fact.source, seat, step.fact.at)
        hidden = hands.hidden(match, ())
        if match.game.hides(match.position) is not None and hidden:
            for record in read(path):
                text = DECK.sub("", record.payload.decode())
                found = hidden & cards_in(text)
                hold(not found, f"{path.name} tells of {found}: {record}")

    def edges(self, path: Path, until_ns: int) -> None:
        """What the board's inputs did until then is recorded, whole and in order."""
        found = [
            (body.sensor, body.level)
            for record in read(path)
            if record.topic == "fact" and isinstance(body := decode_fact(record.payload).body, Edge)
        ]
        so_far = {0}  # of what is recorded, so much may be what was felt up to here
        for felt in self.felt:
            told = {n + 1 for n in so_far if found[n : n + 1] == [(felt.sensor, felt.level)]}
            untold = {n for n in so_far if felt.at >= until_ns and n == len(found)}
            so_far = told | (untold if felt.met else so_far)
        hold(len(found) in so_far, f"felt until {until_ns} {self.felt}, recorded {found}")
