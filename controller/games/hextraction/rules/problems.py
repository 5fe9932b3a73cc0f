"""Problems: written positions that can be played on, but could not come about (`Game.problem`).

Said only of what the rules leave no way to: where a tile of this game could have brought it about,
or people by hand, nothing is said.
"""

from collections.abc import Iterator

from hexboard.games.hextraction.rules import keywords, setup
from hexboard.games.hextraction.rules.state import HAND, SEATS, State
from hexboard.games.hextraction.tiles.tile import effects_of
from hexboard.words import Message, message

PLAYS = {"play", "create", "extra"}
"""Operations by which more tiles are played than one a turn."""
ROLLS = {"roll", "extra"}
"""Likewise balls rolled."""
TURNS = {"skip", "extra"}
"""By which turns do not simply go round."""
HANDS = {"draw", "discard", "give", "search", "bounce", "play"}
"""By which a hand has more tiles, or fewer, at the end of its turn."""


def problem(s: State) -> Message | None:
    """Why a written position is a problem; None for one that looks reachable. While something moves
    or waits, only its parts are judged, as it is read."""
    return next(_doubts(s), None) if s.stable else None


def _doubts(s: State) -> Iterator[Message]:
    found = len(s.zones.census) + len(s.tiles)
    began = len(setup.zones(s.setting).census)
    if found != began and not _any_combo(s):
        yield message("hextraction.other_tiles", "0.1.7", found=found, began=began)
    if s.phase == "over":
        return
    yield from _of_turns(s)
    if s.overdrive != s.full:
        yield message("hextraction.overdrive_wrong", "T.Overdrive.1")
    if s.touches or s.touched or s.broken or s.lane or s.freed or s.strays or s.happened:
        yield message("hextraction.no_roll", "2.1.4")
    for ball in s.balls:
        if ball.rolling or ball.place.startswith(("fell:", "off:")):
            yield message("hextraction.ball_moves", "2.3.1", ball=ball.id)


def _of_turns(s: State) -> Iterator[Message]:
    """What one seat after the other can have done by now, each with a roll and a tile a turn."""
    if not _may(s, TURNS) and not s.conceded and s.active != (s.turn - 1) % s.setting.seats:
        yield message("hextraction.other_turn", "1.0.9", turn=s.turn, seat=SEATS[s.active])
    if s.rolls > 1 and not _may(s, ROLLS):
        yield message("hextraction.too_many_rolls", "2.0.2", count=s.rolls)
    could = s.turn - 1 + s.plays
    if s.plays > 1 and not _may(s, PLAYS):
        yield message("hextraction.too_many_plays", "2.0.3", count=s.plays)
    if len(s.tiles) > could and not _may(s, PLAYS):
        yield message("hextraction.too_many_played", "2.0.3", count=len(s.tiles), could=could)
    for seat in s.present:
        other = s.hand_size(seat) != HAND and seat != s.active and s.pool > 0
        if other and not s.ending and not _may(s, HANDS):
            yield message(
                "hextraction.other_hand", "1.2.2", seat=SEATS[seat], count=s.hand_size(seat)
            )


def _may(s: State, operations: set[str]) -> bool:
    """Whether some tile of the game does one of these, or something by hand."""
    tiles = s.setting.tiles.values()
    done = (it.op for tile in tiles for effect in effects_of(tile) for it in effect.do)
    return not (operations | {"manual"}).isdisjoint(done)


def _any_combo(s: State) -> bool:
    """Whether a tile may lie in several slots, so that counting tells nothing."""
    return any(len(keywords.parts(s.setting.tiles, tile)) > 1 for tile in s.setting.tiles)
