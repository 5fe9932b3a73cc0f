"""Every game as one of OpenSpiel's, for its bots, searches and learners (`pip install open_spiel`).

    from hexboard.library import openspiel

    game = openspiel.load(hexboard.names()[0])  # a pyspiel.Game
    state = game.new_initial_state()

An action is the number of a move among those that are legal now, in the order of their names: it
means nothing in another state. Returns are the scores less their mean, so that they add up to 0.
Where several seats may act, the first one's moves come first. A game of hidden cards tells each
player what that seat may know (`observation_string`); the state itself knows everything. Dice are
thrown and cards dealt by chance, unless options say otherwise.

A game of balls has its moves alone: each roll ends with the ball where it was let go, for what a
ball does is seen on a board and follows from no rule.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

import pyspiel

from hexboard.game.options import Option, as_dealt
from hexboard.library.position import Position, begin, names
from hexboard.words import Value
from hexboard.words.errors import BadText

MOST_MOVES = 1 << 14
"""No state of a game has more moves."""
LONGEST = 100_000
"""No game has more."""
LARGEST = 1e6
"""No score is farther from the mean of all."""


def load(name: str, /, **options: Value) -> Any:
    """One of our games as a `pyspiel.Game`. Raises `BadText` for a game or option there is not."""
    chosen = begin(name, "", options).options
    _registered(name)
    return pyspiel.load_game(_short(name), {it: _escaped(value) for it, value in chosen.items()})


def register() -> None:
    """From now on `pyspiel.load_game` knows all games, "hexboard_" before each name, _ for -."""
    for name in names():
        _registered(name)


def _short(name: str) -> str:
    return f"hexboard_{name.replace('-', '_')}"


def _default(option: Option) -> Value:
    """Nobody is there who throws or draws."""
    return _escaped(option.default if option.dealt is None else option.dealt)


def _escaped(value: Value) -> Value:
    """An option as OpenSpiel writes it and reads it again, where commas and brackets are its own,
    and a text like "7" or "true" is none: as in a link, "%2C" for ","."""
    if not isinstance(value, str):
        return value
    text = quote(value, safe=" /:;+")
    reads_otherwise = re.match(r"[-+.\d]|[Tt]rue$|[Ff]alse$", text)
    return f"%{ord(text[0]):02X}{text[1:]}" if reads_otherwise else text


def _meant(value: Value) -> Value:
    """The inverse of `_escaped`."""
    return unquote(value) if isinstance(value, str) else value


@cache
def _registered(name: str) -> None:
    class Registered(OpenSpielGame):
        """This game: OpenSpiel makes it by its options alone, as it writes them."""

        def __init__(self, written: Mapping[str, Value] | None = None) -> None:
            super().__init__(name, {it: _meant(value) for it, value in (written or {}).items()})

    pyspiel.register_game(_kind(name), Registered)


@cache
def _kind(name: str) -> Any:
    game, of = begin(name, "", {}).game, pyspiel.GameType
    return of(
        short_name=_short(game.name),
        long_name=f"hexboard: {game.name}",
        dynamics=of.Dynamics.SEQUENTIAL,
        chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC
        if game.chance or game.table  # of its own: balls come to rest by themselves
        else of.ChanceMode.DETERMINISTIC,
        information=of.Information.IMPERFECT_INFORMATION
        if game.hidden
        else of.Information.PERFECT_INFORMATION,
        utility=of.Utility.ZERO_SUM,
        reward_model=of.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={it.name: _default(it) for it in game.options},
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game with its options, on its own board."""

    def __init__(self, name: str, options: Mapping[str, Value]) -> None:
        self.name = name
        self.options = as_dealt(begin(name, "", {}).game.options, options)
        told = pyspiel.GameInfo(
            num_distinct_actions=MOST_MOVES,
            max_chance_outcomes=MOST_MOVES,
            num_players=len(begin(name, "", self.options).seats),
            min_utility=-LARGEST,
            max_utility=LARGEST,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        written = {option: _escaped(value) for option, value in self.options.items()}
        super().__init__(_kind(name), told, written)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.name, self.options)

    def new_initial_state(self) -> "OpenSpielState":
        return OpenSpielState(self, begin(self.name, "", self.options))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "OpenSpielObserver":
        return OpenSpielObserver(params)


class OpenSpielState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position, as OpenSpiel plays it."""

    def __init__(self, game: OpenSpielGame, position: Position) -> None:
        super().__init__(game)
        self._set(position)

    def _set(self, position: Position) -> None:
        inner, self.position = position.inner, position
        self.seat = position.seat
        mine = (it for it in inner.legal if inner.actor(it) == self.seat)
        self.moves = sorted(inner.name(it) for it in mine)

    def current_player(self) -> Any:
        if self.seat is None:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.seat < 0 else self.seat

    def _legal_actions(self, player: int) -> Iterable[int]:
        return list(range(len(self.moves)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The number of each chance, with its probability."""
        odds = self.position.odds
        weights = [odds[name] if odds else 1 for name in self.moves]
        return [(n, weight / sum(weights)) for n, weight in enumerate(weights)]

    def _apply_action(self, action: int) -> None:
        self._set(self.position.play(self.moves[action]))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.moves[action]

    def is_terminal(self) -> bool:
        return self.seat is None

    def returns(self) -> list[float]:
        scores = self.position.scores
        if scores is None:
            return [0.0] * len(self.position.seats)
        mean = sum(scores) / len(scores)
        return [score - mean for score in scores]

    def __str__(self) -> str:
        return self.position.text

    def __reduce__(self) -> tuple[object, ...]:
        game = self.get_game()
        return _state_again, (game.name, game.options, self.history())


def _again(name: str, options: Mapping[str, Value]) -> Any:
    return load(name, **options)


def _state_again(name: str, options: Mapping[str, Value], actions: Iterable[int]) -> Any:
    state = load(name, **options).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


class OpenSpielObserver:
    """What a player may know, as text."""

    def __init__(self, params: Any) -> None:
        if params:
            raise BadText("game.option", option=str(params), value="", allowed="-")
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """There is no tensor."""

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return state.position.view(player).text
