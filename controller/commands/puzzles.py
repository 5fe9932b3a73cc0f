"""A puzzle at one keyboard (`hexboard play --problem FILE`): its moves are found one by one."""

import sys
from pathlib import Path

import click
from rich.console import Console

from hexboard.commands.records import opened
from hexboard.commands.spoken import printable
from hexboard.commands.stopping import gone
from hexboard.commands.terminal import draw, moves
from hexboard.files import nearest, shipped
from hexboard.game.position import Action, Position
from hexboard.game.puzzle import Puzzle, Search, TooMuch, puzzle
from hexboard.game.record import result
from hexboard.words import message, say, translated
from hexboard.words.errors import BadText, IllegalAction

ENDING = ".txt"


def puzzle_named(name: str, home: Path) -> Puzzle:
    """The puzzle of a file, or one of ours by its name. Raises `HexboardError`."""
    ours = shipped("puzzles")
    known = sorted(path.stem for path in ours.glob(f"*{ENDING}"))
    file = Path(name).expanduser()
    if not file.is_file():
        if name not in known:
            near = nearest(name, known)
            raise BadText("puzzle.none", name=name, near=near, known=", ".join(known))
        file = ours / f"{name}{ENDING}"
    return puzzle(opened(file, home))


class SolvingGame:
    """A puzzle that somebody solves: `take` what is typed, `show` what is so."""

    def __init__(self, found: Puzzle) -> None:
        self.puzzle = found
        self.game = found.record.game
        self.position = found.first
        self._played: list[str] = []
        self.console = Console(file=sys.stdout, highlight=False)

    @property
    def over(self) -> bool:
        """Whether it is solved."""
        return self._left == 0 or self.position.scores is not None

    @property
    def _left(self) -> int:
        """How many actions the solution has still."""
        return len(self.puzzle.solution) - len(self._played)

    @property
    def _next(self) -> str | None:
        """What the solution has now; None once somebody plays another one."""
        at = len(self._played)
        return self.puzzle.solution[at] if (*self._played,) == self.puzzle.solution[:at] else None

    def begin(self) -> None:
        """Say what is to be found."""
        heads = self.puzzle.record.headers
        for head in ("Title", "Author", "Source"):
            if head in heads:
                self.console.print(self._said(heads[head]))
        self.console.print(say(message("puzzle.welcome")))

    def show(self) -> None:
        """The board, and what is to be found."""
        position = self.game.touchable(self.position)
        board = self.puzzle.record.board
        self.console.print(draw(board, position.pieces(), position.scene()), soft_wrap=True)
        self.console.print(self._said(self.puzzle.find))

    def _said(self, text: str) -> str:
        return printable(translated(text, self.game.prefix))

    def take(self, text: str) -> None:
        """One line of what was typed. Raises our errors; then nothing has changed."""
        match text:
            case "":
                return
            case "moves" | "legal":
                self.console.print(moves(self.position, self.console.width))
            case "position":
                self.console.print(str(self.position), soft_wrap=True)
            case "solution":
                names = ", ".join(self.puzzle.solution)
                self.console.print(say(message("puzzle.solution", moves=names)))
            case _:
                self._try(text)

    def _try(self, text: str) -> None:
        """A move; if it is right, what others do then."""
        action = self.position.action(text)
        after = self.position.play(action)
        name = self.position.name(action)
        if name != self._next and (why := self._wrong(after)):
            raise BadText("puzzle.wrong", name=name, why=why)
        self._go_on(name, after)
        while not self.over and not self._mine:
            self._go_on(*self._answer())
        if self.over:
            self.console.print(say(message("puzzle.solved", result=result(self.position))))

    @property
    def _mine(self) -> bool:
        actors = map(self.position.actor, self.position.legal)
        return self.puzzle.seat in actors

    def _wrong(self, after: Position[Action]) -> str:
        """Why a move that the solution has not does not solve it either; "" where it does."""
        if not self.puzzle.wins:
            return say(message("puzzle.other"))
        search, depth = Search(self.puzzle.seat), self._left - 1
        try:
            if search.forces(after, depth):
                return ""
            theirs = depth > 0 and self.puzzle.seat not in map(after.actor, after.legal)
            answer = search.answer(after, depth) if theirs else None
        except TooMuch:
            return say(message("puzzle.too_much"))
        return say(message("puzzle.answer", name=answer) if answer else message("puzzle.no_win"))

    def _answer(self) -> tuple[str, Position[Action]]:
        """What others do, or chance brings: as the solution has it, else the first there is."""
        first = next(iter(self.position.legal))
        action = self.position.action(self._next) if self._next else first
        return self.position.name(action), self.position.play(action)

    def _go_on(self, name: str, after: Position[Action]) -> None:
        self._played.append(name)
        self.position = after
        for event in after.events:
            self.console.print(f"{say(event)}{event.rule and f'  ({event.rule})'}")


def solve(found: Puzzle) -> None:
    """Ask for moves until it is solved, or nobody is there."""
    game, shown = SolvingGame(found), None
    game.begin()
    while not game.over:
        if game.position is not shown:
            click.echo()
            game.show()
            shown = game.position
        try:
            text = str(click.prompt(">", prompt_suffix=" ", default="", show_default=False)).strip()
        except (click.Abort, EOFError) as error:
            click.echo()
            gone(error)
            return
        if text in ("quit", "q"):
            return
        try:
            game.take(text)
        except (BadText, IllegalAction) as error:
            click.echo(click.style(printable(str(error)), fg="red"))
