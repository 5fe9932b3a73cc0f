"""A game at one keyboard: moves typed by name, taken back, and kept in a file."""

import sys
from pathlib import Path

from rich.console import Console

from hexboard.board import Board, plain
from hexboard.commands.terminal import draw, moves
from hexboard.devices.dealer import Dealer
from hexboard.files import keep
from hexboard.game import registry
from hexboard.game.game import Game, board_for, seated, table_acts
from hexboard.game.match import Match
from hexboard.game.options import Options, agree, as_dealt, in_full
from hexboard.game.position import Action, Hidden, Position, Touched
from hexboard.game.save import Save, decode, encode
from hexboard.words import ENGLISH, Message, message, say
from hexboard.words.errors import BadText
from hexboard.words.names import called, naming

FEW = 12
"""So many moves are simply listed; more are asked for with `moves`."""


def kept(path: Path) -> "TerminalGame":
    """The match that such a file keeps. Raises `BadText` for a file that is none."""
    save = decode(path.read_bytes(), str(path))
    game = registry.find(save.game)
    return TerminalGame(game, plain(board_for(game, save.options)), save.options, None, path)


def begun_with(game: Game[Action], given: Options, record: Path | None) -> Options:
    """The options of a game in a terminal: those with which people began what `record` keeps;
    else hexboard throws dice and draws cards unless they say otherwise. Raises `BadText` for a file
    that keeps none."""
    if record is None or not record.exists():
        return as_dealt(game.options, given)
    kept = decode(record.read_bytes(), str(record))
    return {**(kept.options if kept.game == game.name else {}), **given}


class TerminalGame:
    """One match, all seats. `take` what is typed, `show` what is so.

    Where cards are hidden, only the cards of the seat that looks are shown: while `curtain` names
    another, nothing should be, until that one has come (`open`).
    """

    def __init__(
        self,
        game: Game[Action],
        board: Board,
        options: Options,
        seed: int | None,
        record: Path | None,
        names: tuple[str, ...] = (),
    ) -> None:
        self.game, self.board, self.record, self._names = game, board, record, names
        self.options = in_full(game.options, options)
        self.console = Console(file=sys.stdout, highlight=False)

        def parse(text: str) -> Position[Action]:
            return game.read(text, board, self.options)

        self.match = Match(game, game.begin(board, options), parse)
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
        return next(position.actor(action) for action in position.legal)

    @property
    def curtain(self) -> str | None:
        """Who has to come to the keyboard before more is shown; None while nothing is hidden from
        who sits there."""
        position = self.match.position
        if self.game.hides(position) is None or self._asked == self._looking:
            return None
        return self.told(position.seats[self._asked], position)

    def open(self) -> None:
        """Who is asked sits at the keyboard now."""
        self._looking = self._asked

    @property
    def _seen(self) -> Touched[Action]:
        """The position as who looks may know it."""
        position, hides = self.match.position, self._hides
        if hides is not None and self._looking is not None:
            position = hides.view(self._looking)
        return self.game.touchable(self.game.public(position))

    @property
    def _hides(self) -> Hidden[Action] | None:
        return self.game.hides(self.match.position)

    @property
    def prompt(self) -> str:
        question = self._seen.question(self._asked)
        return self.told(question.message, self._seen) if question else ">"

    def told(self, said: Message, position: Position[Action]) -> str:
        """A sentence about a position, with the players' names where they gave any."""
        names = called(position.seats, seated(self.game, position, self._names))
        return names.get(say(said, ENGLISH)) or say(naming(said, names))

    def show(self) -> None:
        """The board, what just happened, the hand, and what can be done."""
        position = self._seen
        for event in position.events:
            self.console.print(
                self.told(event, position) + (f"  ({event.rule})" if event.rule else "")
            )
        self.console.print(draw(self.board, position.pieces(), position.scene()), soft_wrap=True)
        for line in self.game.standing(position):
            self.console.print(self.told(line, position))
        if self._hides is not None and self._looking is not None:
            for card in self._hides.view(self._looking).hand(self._looking):
                self.console.print(f"  {say(card)}")
        if self.over:
            scores = zip(position.seats, position.scores or (), strict=True)
            shown = ", ".join(f"{self.told(seat, position)} {score}" for seat, score in scores)
            self.console.print(say(message("play.over", scores=shown)))
        elif len(position.legal) <= FEW:
            self.console.print(moves(position, self.console.width))

    def take(self, text: str) -> None:
        """One line of what was typed. Raises our errors; then nothing has changed."""
        match text:
            case "":
                return
            case "moves" | "legal":
                self.console.print(moves(self._seen, self.console.width))
                if acts := table_acts(self.game, self._seen):
                    names = ", ".join(map(self._seen.name, acts))
                    self.console.print(say(message("play.acts", names=names)))
            case "position":
                self.console.print(str(self._seen), soft_wrap=True)
            case "undo":
                self._undo()
            case "?" | "help":
                self.console.print(say(message("play.help", game=self.game.name)))
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
        while not self.over and (waits := self.game.waits(self.match.position)):
            declared = self._dealer.deal(waits)
            self.match.play(self.match.position.action(declared.action))

    def _load(self, path: Path) -> None:
        save = decode(path.read_bytes(), str(path))
        same = save.game == self.game.name and save.options.keys() == self.options.keys()
        if not (same and agree(self.game.options, save.options, self.options)):
            raise BadText("play.other", file=str(path), game=save.game)
        self._names = self._names or save.names
        for entry in save.entries:
            self.match.add(entry)

    def _save(self) -> None:
        if self.record is not None:
            save = Save(self.game.name, self.options, self.match.entries, self._names)
            keep(self.record, encode(save))  # hidden cards stand in it
