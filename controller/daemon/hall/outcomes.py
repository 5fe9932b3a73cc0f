"""What boards told of a tournament's pairings: which match is a pairing's result, and which is not.

Nothing here knows a file or a stream. docs/hall.md, "Tournaments".
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from hexboard.daemon.hall.tournament import given, known, with_note
from hexboard.record.trf import DRAW, LOSS, OPEN, WIN, PairingSet, Trf
from hexboard.words import Message, message

ISOLATES = dict.fromkeys(range(0x2066, 0x206A))
"""The marks that a person's name stands between, and no word for a seat (docs/contracts.md)."""
SOMEBODY_ELSE = 0
"""In place of a player's number."""


class HallStory(Struct):
    """A match that a board told of: its game, when it began and ended (by what the board counts),
    what seats are called and their points where it is over."""

    match: str
    game: str
    begun: int
    ended: int = 0
    seats: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        return bool(self.scores)


Told = Mapping[str, Sequence[HallStory]]
"""What boards told of matches, in order, by the board's name."""


class HallRefusal(Struct, frozen=True):
    """A match that came to an end on a pairing's board, and is not its result: why."""

    table: int
    why: Message


def settled(trf: Trf, told: Told) -> tuple[Trf, list[HallRefusal]]:
    """The newest round with what boards told of its pairings, and which matches do not count. Who
    began at the first seat is white, unless a seat bears the other's name; a seat that bears
    anybody else's is another match's. Of two pairings on a board the one that was put there last
    plays first."""
    refused = []
    newest = enumerate([it for it in trf.set if it.round == trf.paired], 1)
    for table, it in sorted(newest, key=lambda one: -(one[1].after or 0)):
        if it.after is None or it.by_hand:
            continue
        taken = {other.match for other in trf.set if other is not it} - {""}
        stories = told.get(it.board, ())
        right = None
        for story in stories:
            if not story.over or story.ended <= it.after or story.match in taken:
                continue
            why = _unfit(trf, it, story)
            if why is not None:
                refused.append(HallRefusal(table, why))
            elif right is None:
                right = story
        if right is not None:
            trf = with_note(given(trf, it, _came(trf, it, right)), replace(it, match=right.match))
        elif it.match in {story.match for story in stories}:  # something was taken back
            trf = with_note(given(trf, it, (OPEN, OPEN)), replace(it, match=""))
    return trf, refused


def _unfit(trf: Trf, it: PairingSet, story: HallStory) -> Message | None:
    """Why a match is not this pairing's; None where it is."""
    assert it.after is not None
    if story.begun <= it.after:
        return message("tournament.early", board=it.board)
    if trf.hall.game and story.game != trf.hall.game:
        return message("tournament.other_game", board=it.board)
    if not len(story.seats) == len(story.scores) == 2:
        return message("tournament.others", board=it.board)
    first, second = _sitting(trf, it, story)
    if SOMEBODY_ELSE in (first, second) or (first is not None and first == second):
        return message("tournament.guests", board=it.board, who=_named(story))
    return None


def _sitting(trf: Trf, it: PairingSet, story: HallStory) -> list[int | None]:
    """Whose name each seat bears, by their number: `SOMEBODY_ELSE` for a name that is nobody's of
    this pairing; None for a seat that bears no name, or one that fits both of them."""
    return [_called(trf, it, seat) for seat in story.seats]


def _called(trf: Trf, it: PairingSet, seat: str) -> int | None:
    name = seat.translate(ISOLATES)
    if name == seat:  # a word for the seat
        return None
    same = {player.number for player in trf.players if known(player.name) == known(name)}
    here = (it.white, it.black)
    fits = [number for number in here if number in same]
    if not same:  # "Ann" is enough for "Smith, Ann"
        fits = [number for number in here if _words(name) <= _words(trf.player(number).name)]
    if len(fits) > 1:
        return None
    return fits[0] if fits else SOMEBODY_ELSE


def _words(name: str) -> set[str]:
    return set(known(name).replace(",", " ").split())


def _named(story: HallStory) -> str:
    """The names at its seats, each kept apart."""
    return ", ".join(seat for seat in story.seats if seat != seat.translate(ISOLATES))


def _came(trf: Trf, it: PairingSet, story: HallStory) -> tuple[str, str]:
    first, second = story.scores
    at_first, at_second = _sitting(trf, it, story)
    if at_first == it.black or at_second == it.white:
        first, second = second, first
    if first == second:
        return DRAW, DRAW
    return (WIN, LOSS) if first > second else (LOSS, WIN)
