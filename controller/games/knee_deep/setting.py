"""What is agreed before a game and does not change during it: map, box and rulings."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from controller.board import Board
from controller.errors import BadText
from controller.files import chosen_file
from controller.games.knee_deep.cards import Box, box
from controller.games.knee_deep.ground import Ground, ground
from controller.games.position import Option, Options, choose

NAME = "knee-deep"
AS_MAPPED, DRAWN = "map", "drawn"

MATCH = (
    Option("map", "flowers-31", rule="KDH-1.9", file=True),
    Option("terrain", "map", rule="KDH-1.3", file=True),
    Option("box", "house", rule="KDH-4.2", file=True),
    Option("hands", "dealt", ("dealt", "held"), rule="KDH-3.4"),
    Option("starter", "drawn", ("drawn", "gondwana", "bukseon"), rule="KDH-2.2"),
)
RULINGS = (
    Option("first_penalty", "material", ("material", "energy"), rule="KDH-A1"),
    Option("mulligan", "discard", ("discard", "return"), rule="KDH-A2"),
    Option("hq_damage", "whole", ("whole", "accumulates"), rule="KDH-A3"),
    Option("presence", "each_unit_or_hq", ("each_unit_or_hq", "each_unit"), rule="KDH-A4"),
    Option("war_cards", "checked", ("checked", "free"), rule="KDH-A5"),
    Option("recheck", "yes", ("yes", "no"), rule="KDH-A6"),
    Option("damage", "may", ("may", "must"), rule="KDH-A7"),
    Option("overflow", "stop", ("stop", "all"), rule="KDH-A8"),
    Option("full_tie", "draw", ("draw", "starter", "second"), rule="KDH-A9"),
    Option("empty_pile", "forbidden", ("forbidden", "allowed"), rule="KDH-A10"),
    Option("hand_limit", "own_turn", ("own_turn", "effects"), rule="KDH-A11"),
    Option("deploy_at", "own", ("own", "any"), rule="KDH-A12"),
    Option("sling_over_hq", "yes", ("yes", "no"), rule="KDH-A13"),
    Option("skirmish", "triangle", ("triangle", "chevron", "either"), rule="KDH-A14"),
    Option("lays_first", "attacker", ("attacker", "defender"), rule="KDH-A15"),
    Option("marker", "may", ("may", "must"), rule="KDH-A16"),
    Option("place_cost", "card", ("card", "both"), rule="KDH-A18"),
    Option("extractor", "anywhere", ("anywhere", "resource"), rule="KDH-A19"),
    Option("quiet_rounds", 20, least=0, most=999, rule="KDH-A21"),
    Option("start_income", "no", ("no", "yes"), rule="KDH-A22"),
    Option("hq_in_zone", "any_part", ("any_part", "whole"), rule="KDH-A23"),
    Option("own_losses", "count", ("count", "hp_only"), rule="KDH-A26"),
    Option("discards", "open", ("open", "closed"), rule="KDH-A27"),
)
"""A17 (the active player alone ends the phase), A20 (one HQ falls before the other), A24, A25 and
A28 leave nothing to choose."""

OPTIONS = (
    *(replace(option, group="the match") for option in MATCH),
    *(replace(option, group="rulings") for option in RULINGS),
)


class Setting(Struct, frozen=True):
    """The map, the box and the rulings by their names in `OPTIONS`."""

    ground: Ground
    terrain: str
    """Where the terrain comes from: the map, a file, or people draw it first."""
    box: Box
    hands: str
    starter: str
    first_penalty: str
    mulligan: str
    hq_damage: str
    presence: str
    war_cards: str
    recheck: str
    damage: str
    overflow: str
    full_tie: str
    empty_pile: str
    hand_limit: str
    deploy_at: str
    sling_over_hq: str
    skirmish: str
    lays_first: str
    marker: str
    place_cost: str
    extractor: str
    quiet_rounds: int
    start_income: str
    hq_in_zone: str
    own_losses: str
    discards: str

    @property
    def held(self) -> bool:
        """People hold printed cards: only they know which."""
        return self.hands == "held"


def setting(board: Board, options: Options) -> Setting:
    """Raises `BadText` and `BadFile` for what cannot be agreed on."""
    chosen: dict[str, Any] = choose(NAME, OPTIONS, options)
    terrain = chosen["terrain"]
    if terrain not in (AS_MAPPED, DRAWN) and chosen_file(terrain) is None:
        raise BadText("knee_deep.no_terrain", name=terrain[:60])
    laid = ground(chosen.pop("map"), board, terrain)
    return Setting(laid, box=box(chosen.pop("box")), **chosen)
