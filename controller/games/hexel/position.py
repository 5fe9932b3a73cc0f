"""A moment of a game of Hex'el, and what the rules make of what is played in it."""

from collections.abc import Mapping
from itertools import islice

from msgspec.structs import replace

from hexboard.board import CellId
from hexboard.game.position import CHANCE, Phrase, Piece, Question, Refusal
from hexboard.games.hexel import actions as act
from hexboard.games.hexel import phrases
from hexboard.games.hexel.cards import FACES, UNKNOWN, turns
from hexboard.games.hexel.moves import Moves
from hexboard.games.hexel.notation import SEATS, action, name
from hexboard.games.hexel.progress import Progress
from hexboard.games.hexel.questions import question
from hexboard.games.hexel.refusals import refusal
from hexboard.games.hexel.shown import blamed, pieces, scene, standing
from hexboard.games.hexel.text import arranged, write
from hexboard.scene import Scene
from hexboard.words import Message, message


class Hexel(Progress, frozen=True, eq=False):
    """A position: what is so, what may be done, and what follows from it."""

    @property
    def seats(self) -> tuple[Message, ...]:
        return SEATS[: self.setting.seats]

    @property
    def stable(self) -> bool:
        """Every card, bet and draw is final once it is made."""
        return True

    @property
    def legal(self) -> "Moves":
        return Moves(self)

    @property
    def dealt(self) -> bool:
        """The rules wait for a card from the pile, which the dealer draws."""
        return any(isinstance(action, act.Draw) for action in islice(self.legal, 1))

    @property
    def drawn_from(self) -> str:
        """One pile for all."""
        return "cards"

    def actor(self, action: act.Action) -> int:
        match action:
            case act.Draw():
                return CHANCE
            case act.Redraw() | act.Stake():
                return self.dealer
            case act.Place() if self.phase == "line":
                return self.dealer
            case act.Hedge(seat) | act.Concede(seat):
                return seat
        return self.turn

    def odds(self, action: act.Action) -> int:
        """How many of the cards that could come now are this one."""
        assert isinstance(action, act.Draw)
        return self.unseen.count(action.card) if action.card else len(self.unseen)

    @property
    def withheld(self) -> tuple[tuple[Phrase, Refusal], ...]:
        """The cards in hand that fit nowhere."""
        return phrases.withheld(self)

    def refusal(self, action: act.Action) -> Refusal | None:
        """Why an action is not allowed now; None when it is."""
        return refusal(self, action)

    def question(self, seat: int) -> Question | None:
        """What the rules ask of a seat now; None where they ask nothing."""
        return question(self, seat)

    # --------------------------------------------------------------------------- what one may know

    @property
    def private(self) -> bool:
        """Whether hexboard knows cards that not everybody may: it dealt them."""
        return not self.setting.held and self.phase != "over"

    @property
    def deck(self) -> str:
        """All cards, for the commitment to a shuffle."""
        return "+".join(FACES[card] for card in self.setting.deck)

    def hand(self, seat: int) -> tuple[Message, ...]:
        """The cards that a seat holds, as far as they are known."""
        return tuple(message("hexel.card", face=FACES[c]) for c in self.hands[seat] if c)

    def view(self, seat: int) -> "Hexel":
        """What a seat may know: its own cards and the table. Held cards nobody else knows."""
        if self.setting.held or self.eyes == seat:
            return self
        hidden = b""
        kept: list[tuple[bytes, ...]] = []
        for cards in (self.hands, self.discards):
            hidden += b"".join(c for other, c in enumerate(cards) if other != seat)
            kept.append(tuple(c if s == seat else bytes(len(c)) for s, c in enumerate(cards)))
        unseen = bytes(sorted(self.unseen + hidden.replace(b"\0", b"")))
        return replace(self, hands=kept[0], discards=kept[1], unseen=unseen, eyes=seat)

    def told(self, action: act.Action, seat: int) -> str:
        """An action as a seat may hear it: a card that goes to another hand, or face down from it,
        is "?"."""
        match action:
            case act.Draw() if self.phase == "deal" and self.receiver != seat:
                return self.name(act.Draw(UNKNOWN))
            case act.NoPlacement() if self.turn != seat:
                return self.name(act.NoPlacement(UNKNOWN))
        return self.name(action)

    # ---------------------------------------------------------------------------------- the board

    def seen(self) -> bytes:
        """The face in each cell of the board (see `cards.FACES`), 0 for none."""
        return self.table[: self.setting.grid.seen]

    def things(self, code: int) -> tuple[str, ...]:
        """The card of a code of `seen`, by its symbols as it lies."""
        return (f"card {FACES[code]}",) if code else ()

    def tried(self, left: str, onto: str, thing: str) -> tuple[str, ...]:
        """A card was placed; which, a finger does not say."""
        return (f"place {onto} {thing.removeprefix('card ') or '?'}",)

    def pieces(self) -> tuple[Piece, ...]:
        """The cards, each with its six symbols."""
        return pieces(self)

    @property
    def palette(self) -> tuple[Piece, ...]:
        """Every card of the deck in each of its turns."""
        return tuple(Piece(FACES[it], "card", text=FACES[it]) for it in turns(self.setting.deck))

    def arranged(self, laid: Mapping[str, str]) -> str:
        return arranged(self, laid)

    @property
    def standing(self) -> tuple[Message, ...]:
        """How many cards each seat holds, and its chips."""
        return standing(self)

    def scene(self) -> Scene:
        """What may be laid where, the last card, a Hoxla."""
        return scene(self)

    def places(self, action: act.Action) -> tuple[CellId, ...]:
        """The cell that a finger touches to lay a card."""
        return (self.setting.grid.ids[action.cell],) if isinstance(action, act.Place) else ()

    def blamed(self, action: act.Action) -> tuple[CellId, ...]:
        """Where a refusal of this action is shown: a card hides the light of its own cell."""
        return blamed(self, action) if isinstance(action, act.Place) else ()

    # ------------------------------------------------------------------------------------ in words

    def phrase(self, action: act.Action) -> Phrase | None:
        """An action in words; None for one that names a card."""
        return phrases.phrase(action)

    @property
    def acts(self) -> tuple[act.Action, ...]:
        """A seat may concede; a line that cannot be laid is drawn anew."""
        return phrases.acts(self)

    def name(self, action: act.Action) -> str:
        """An action as people write it: "place 0,-1 RRBBBR", "hedge 1 6", "draw ?"."""
        return name(self.setting.grid, action)

    def action(self, text: str) -> act.Action:
        """The inverse of `name`. Raises `BadText`."""
        return action(self.setting.grid, text)

    def __str__(self) -> str:
        return write(self)
