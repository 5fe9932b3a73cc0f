"""A game at one keyboard: moves typed by name, taken back, and kept in a file."""

import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from controller import games
from controller.board import Board, plain
from controller.devices.dealer import Dealer
from controller.errors import BadText, HexboardError
from controller.games.position import (
    Game,
    Match,
    Options,
    agree,
    decode_entry,
    encode_entry,
    in_full,
    public,
)
from controller.terminal import draw, moves
from controller.words import message, say

FEW = 12
"""So many moves are simply listed; more are asked for with `moves`."""


def kept(path: Path) -> "Play":
    """The match that such a file keeps. Raises `BadText` for a file that is none."""
    try:
        written = json.loads(path.read_text("utf-8"))
        name, options = str(written["game"]), dict(written["options"])
    except (KeyError, TypeError, ValueError):
        raise BadText("play.torn", file=str(path)) from None
    game = games.find(name)
    return Play(game, plain(game.board(options)), options, None, path)


class Play:
    """One match, all seats. `take` what is typed, `show` what is so.

    Where cards are hidden, only the cards of the seat that looks are shown: while `curtain` names
    another, nothing should be, until that one has come (`open`).
    """

    def __init__(
        self, game: Game, board: Board, options: Options, seed: int | None, record: Path | None
    ) -> None:
        self.game, self.board, self.record = game, board, record
        self.options = in_full(game.OPTIONS, options)
        self.console = Console(file=sys.stdout, highlight=False)

        def parse(text: str) -> Any:
            return game.parse(text, board, self.options)

        self.match: Match[Any] = Match(game.start(board, options), parse)
        self._dealer = Dealer(seed)
        self._looking: int | None = None
        if record is not None and record.exists():
            self._load(record)
        self._deal()

    @property
    def over(self) -> bool:
        return self.match.position.scores is not None

    @property
    def _asked(self) -> int:
        position = self.match.position
        return int(next(position.actor(action) for action in position.legal))

    @property
    def curtain(self) -> str | None:
        """Who has to come to the keyboard before more is shown; None while nothing is hidden from
        who sits there."""
        position = self.match.position
        if not getattr(position, "private", False) or self._asked == self._looking:
            return None
        return say(position.seats[self._asked])

    def open(self) -> None:
        """Who is asked sits at the keyboard now."""
        self._looking = self._asked

    @property
    def _seen(self) -> Any:
        """The position as who looks may know it."""
        position = self.match.position
        if not getattr(position, "private", False):
            return position
        return public(position) if self._looking is None else position.view(self._looking)

    @property
    def prompt(self) -> str:
        question = self._seen.question(self._asked)
        return say(question.message) if question else ">"

    def show(self) -> None:
        """The board, what just happened, the hand, and what can be done."""
        position = self._seen
        for event in position.events:
            self.console.print(f"{say(event)}" + (f"  ({event.rule})" if event.rule else ""))
        self.console.print(draw(self.board, position.pieces(), position.scene()), soft_wrap=True)
        for line in getattr(position, "standing", ()):
            self.console.print(say(line))
        if getattr(self.match.position, "private", False) and self._looking is not None:
            for card in position.hand(self._looking):
                self.console.print(f"  {say(card)}")
        if self.over:
            self.console.print(say(message("play.over", scores=str(position.scores))))
        elif len(position.legal) <= FEW:
            self.console.print(moves(position, self.console.width))

    def take(self, text: str) -> None:
        """One line of what was typed. Raises our errors; then nothing has changed."""
        match text:
            case "":
                return
            case "moves" | "legal":
                self.console.print(moves(self._seen, self.console.width))
            case "position":
                self.console.print(str(self._seen), soft_wrap=True)
            case "undo":
                self._undo()
            case "?" | "help":
                self.console.print(say(message("play.help", game=self.game.NAME)))
            case _:
                self.match.play(self.match.position.action(text))
                self._deal()
        self._save()

    def _undo(self) -> None:
        """Back to before the last thing that a person did."""
        to = self.match.last_choice()
        if to is None:
            raise BadText("table.nothing_to_undo")
        self.match.back(to)
        self._deal()

    def _deal(self) -> None:
        """Throw and draw for as long as the rules wait for that, and nobody holds the die."""
        while not self.over and getattr(self.match.position, "dealt", False):
            declared = self._dealer.deal(self.match.position)
            self.match.play(self.match.position.action(declared.action))

    def _load(self, path: Path) -> None:
        try:
            kept = json.loads(path.read_text("utf-8"))
            options = kept["options"]
            same = kept["game"] == self.game.NAME and options.keys() == self.options.keys()
            if not (same and agree(self.game.OPTIONS, options, self.options)):
                raise BadText("play.other", file=str(path), game=str(kept["game"]))
            for entry in kept["entries"]:
                self.match.add(decode_entry(json.dumps(entry)))
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, HexboardError):
                raise
            raise BadText("play.torn", file=str(path)) from None

    def _save(self) -> None:
        if self.record is None:
            return
        entries = [json.loads(encode_entry(entry)) for entry in self.match.entries]
        kept = {"game": self.game.NAME, "options": self.options, "entries": entries}
        part = self.record.with_name(f"{self.record.name}.part")
        part.touch(0o600)  # hidden cards stand in it
        part.write_text(json.dumps(kept, indent=1), "utf-8")
        part.replace(self.record)
