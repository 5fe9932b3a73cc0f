"""What every game must be: properties that one line a game takes in (`check_play`).

A game's own tests say what its rules mean; these say that its positions are positions at all.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import strategies as st

from hexboard.game.game import AnyGame
from hexboard.game.match import Match, decode_entry, encode_entry
from hexboard.game.written import doubt
from hexboard.words import say
from hexboard.words.errors import BadText, IllegalAction

Parse = Callable[[str], Any]
Happenings = Callable[[Any], st.SearchStrategy[str]]

STEPS = 25


def check_play(
    data: st.DataObject,
    game: AnyGame[Any],
    start: Any,
    parse: Parse,
    happenings: Happenings | None = None,
) -> None:
    """Play at random from `start`: legal moves, and (by name) what `happenings` may bring."""
    match: Match[Any] = Match(game, start, parse)
    positions = [start]
    composed = doubt(game, start) is not None
    seen: dict[Any, None] = {}
    for _ in range(data.draw(st.integers(0, STEPS), label="steps")):
        position = match.position
        moves = check_position(position, parse)
        assert game.move_count is None or game.move_count(position) == len(moves)
        assert composed or doubt(game, position) is None  # what came about looks so
        if happenings is None or (moves and not data.draw(st.booleans(), label="happens")):
            if not moves:
                break
            action = data.draw(st.sampled_from(moves), label="action")
        else:
            action = position.action(data.draw(happenings(position), label="happening"))
            assert position.refusal(action) is None  # whatever happens is never refused
        seen.update(dict.fromkeys(moves))
        check_refused(position, moves, list(seen), data)
        text = str(position)
        match.play(action)
        assert str(position) == text  # a position never changes
        positions.append(match.position)
    check_position(match.position, parse)
    assert composed or doubt(game, match.position) is None
    check_saved(match, start, parse)
    check_undone(match, positions)
    check_saved(match, start, parse)


def check_position(position: Any, parse: Parse) -> list[Any]:
    """The end is where nothing is legal and scores are known; texts and names have inverses.

    Gives the legal moves.
    """
    moves = list(position.legal)
    assert (not moves) == (position.scores is not None)
    again = parse(str(position))
    assert again == position
    assert hash(again) == hash(position)
    assert str(again) == str(position)
    check_names(position, (position.name(action) for action in moves))
    assert all(position.refusal(action) is None for action in moves)
    for event in position.events:
        assert event.rule
        assert not say(event).startswith(event.key)  # there is a sentence, with all its values
    assert list(again.legal) == moves
    return moves


def check_names(position: Any, names: Iterable[str]) -> None:
    """Names are the inverse of actions, and no two actions share one."""
    named = list(names)
    assert len(set(named)) == len(named)
    actions = [position.action(name) for name in named]
    assert [position.name(action) for action in actions] == named
    assert len(set(actions)) == len(named)


def check_refused(position: Any, moves: list[Any], seen: list[Any], data: st.DataObject) -> None:
    """What is refused raises `IllegalAction` with the rule and a sentence, and changes nothing.

    Tried are actions that were legal in this or an earlier position (`seen`).
    """
    text, events = str(position), position.events
    tried = data.draw(st.lists(st.integers(0, len(seen) - 1), max_size=3), label="tried")
    for action in (seen[k] for k in tried):
        refusal = position.refusal(action)
        assert (refusal is None) == (action in moves)
        if refusal is None:
            continue
        assert refusal.rule
        assert not say(refusal).startswith(refusal.key)
        with pytest.raises(IllegalAction) as caught:
            position.play(action)
        assert caught.value.message == refusal
        assert (str(position), position.events) == (text, events)


def check_saved(match: Match[Any], start: Any, parse: Parse) -> None:
    """A match saved as its entries and loaded again stands where it stood, and so after undo."""
    again = Match(match.game, start, parse)
    for entry in match.entries:
        again.add(decode_entry(encode_entry(entry)))
    assert again.position == match.position
    assert again.position.events == match.position.events
    assert again.entries == match.entries


def check_undone(match: Match[Any], positions: list[Any]) -> None:
    """Taking back one action after another restores every position down to the first."""
    for k in reversed(range(len(positions) - 1)):
        assert match.back(k) == positions[k]
        assert match.position.events == positions[k].events
    assert match.position == positions[0]


def check_parse_refuses(data: st.DataObject, texts: list[str], parse: Parse) -> None:
    """A garbled position text is refused with `BadText`, or means exactly what it says."""
    text = data.draw(st.sampled_from(texts))
    signs = sorted({*"".join(texts), "é", "\n", "-"})
    for _ in range(data.draw(st.integers(1, 3))):
        i = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 4))
        text = text[:i] + data.draw(st.text(signs, max_size=3)) + text[i + cut :]
    try:
        position = parse(text)
    except BadText:
        return
    assert str(position) == text
    assert (not position.legal) == (position.scores is not None)
