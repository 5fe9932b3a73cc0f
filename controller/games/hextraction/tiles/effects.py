"""What tiles do, as data: causes, gates, and operations from a closed list.

The referee does each of them; what the list cannot say is `op = "manual"` with a text that people
carry out by hand, so that every tile can be described. Which operations a file may write, and how,
is `OPERATIONS`; the sentences for mistakes are in `lint.py`.
"""

import re
from typing import Literal

from msgspec import Struct, field

CAUSES = {
    "limit": "Limit: it may be played only",
    "setup": "Setup",
    "on_play": "On Play",
    "trigger": "Trigger",
    "hole": "When a ball falls into its hole",
    "on_destroy": "On Destroy",
    "on_neighbour_destroyed": "When a neighbour is destroyed",
    "ongoing": "Ongoing",
    "activated": "Activated",
}
"""What sets an effect off, and how people say it (section 3; Limit and Setup restrict only)."""

Count = int | Literal["all"]


class Operation(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that an effect does. `op` decides which of the other keys it has (`OPERATIONS`)."""

    op: str
    who: str = ""
    n: Count | None = None
    tiles: str = ""
    balls: str = ""
    name: str = ""
    pool: str = ""
    where: str = ""
    ramp: str = ""
    part: str = ""
    state: str = ""
    what: str = ""
    by: int | None = None
    turns: int | None = None
    optional: bool = False
    text: str = ""

    def values(self) -> dict[str, str | int]:
        """What is stated beside `op`, by key."""
        stated = {key: getattr(self, key) for key in self.__struct_fields__ if key != "op"}
        return {key: value for key, value in stated.items() if value not in ("", None, False)}


class TileEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """A cause, the conditions under which it counts, and what is done, in order.

    `area` names the trigger or the hole that it belongs to. `overrides` lists rules of section 0
    that it contradicts, which only a Forbidden effect may (0.1.3).
    """

    cause: str
    do: tuple[Operation, ...] = ()
    conditions: tuple[str, ...] = field(name="if", default=())
    area: str = ""
    text: str = ""
    forbidden: bool = False
    overrides: tuple[str, ...] = ()
    mandatory: bool = False
    offline: bool = False
    overdrive: bool = False
    ask: str = ""
    cost: tuple[Operation, ...] = ()
    limit_per_turn: int | None = None


class OperationForm(Struct, frozen=True):
    """Which keys an operation needs and may have, and how it is said in words."""

    needs: tuple[str, ...]
    may: tuple[str, ...]
    words: str


OPERATIONS = {
    "roll": OperationForm(("who",), ("ramp", "balls"), "rolls a ball"),
    "move_ball": OperationForm(("balls", "where"), (), "move the ball"),
    "remove_ball": OperationForm(("balls",), (), "take the ball off the board"),
    "place_ball": OperationForm(("where",), ("n",), "place a ball"),
    "hold_ball": OperationForm(("n",), (), "hold balls"),
    "weigh": OperationForm(("balls", "n"), (), "count the ball as several"),
    "draw": OperationForm(("who", "n"), (), "draws"),
    "discard": OperationForm(("who", "n"), (), "discards"),
    "give": OperationForm(("who", "n"), (), "gives"),
    "search": OperationForm(("who", "pool"), ("name", "where"), "searches a pool for a tile"),
    "create": OperationForm(("name",), ("where",), "create a Virtual tile"),
    "play": OperationForm(("who",), ("where",), "plays a tile"),
    "overwrite": OperationForm(("tiles",), (), "is played over"),
    "destroy": OperationForm(("tiles",), (), "destroy"),
    "bounce": OperationForm(("tiles", "who"), (), "goes from the board to the hand"),
    "look": OperationForm(("who",), (), "shows the hand"),
    "discard_tile": OperationForm(("tiles",), (), "discard from the board"),
    "put_on_bag": OperationForm(("tiles",), (), "put on the bag"),
    "move_tile": OperationForm(("tiles", "where"), (), "move the tile"),
    "rotate": OperationForm(("tiles", "n"), (), "turn to the next notch"),
    "swap": OperationForm(("tiles",), (), "swap"),
    "set_part": OperationForm(("part",), ("state", "by"), "set a moving part"),
    "extra": OperationForm(("what",), ("who", "n"), "one more"),
    "skip": OperationForm(("who", "turns"), (), "skips a turn"),
    "bar": OperationForm(("who", "what", "turns"), (), "may not do this"),
    "modify": OperationForm(("what",), (), "change"),
    "block": OperationForm(("ramp",), (), "no ball may be rolled from"),
    "disable": OperationForm(("tiles",), (), "disable the effects of"),
    "win": OperationForm(("who",), (), "wins"),
    "lose": OperationForm(("who",), (), "loses"),
    "counter": OperationForm(("name", "by"), (), "count"),
    "manual": OperationForm(("text",), (), "by hand"),
}
"""Every operation there is (digest 4.4). No operation adds a tile to the game (0.1.7)."""

ADDS = ("add", "add_tile", "new_tile", "copy", "copy_tile", "spawn")
"""What people may write for the one thing that no tile may do: add tiles to the game (0.1.7)."""

WORDS: dict[str, tuple[str, ...]] = {
    "who": ("roller", "active", "owner", "opponent", "each"),
    "tiles": (
        "self",
        "adjacent",
        "others",
        "touched",
        "with_ball",
        "previous",
        "last",
        "top_row",
        "all",
    ),
    "balls": ("this", "on_self", "in_area", "all"),
    "pool": ("main", "any", "destroyed"),
    "where": ("this_fall", "highest_open", "open", "adjacent_open", "hand", "self"),
    "ramp": ("used", "any", "here", "self"),
}
"""The words a key of an operation may have; `tiles`, `where` and `ramp` also take `name:TILE`."""
NAMED = ("tiles", "where", "ramp")
ONE = "one "
"""Before a word for tiles: whoever the effect belongs to chooses one of them."""
EXTRAS = ("roll", "play", "turn")
"""What there can be one more of, or what a seat can do without."""
MODIFIED = ("ball_source", "three_ball_rule")
"""What an Ongoing effect can change: balls come from inside its tile; those inside it do not count
for the rule of three balls (2.1.5.5)."""
STANDING = ("extra", "disable", "modify", "block")
"""What an Ongoing effect does as long as it counts, and not at one moment."""

PROTECTED = {"leave": "0.1.1", "concede": "0.1.1", "reclaim": "0.1.1", "draw_at_end": "0.1.10"}
"""What section 0 keeps every effect away from, and the rule that does."""

CONDITION = re.compile(
    r"(not )?(rolled_this_turn|board_full|power_on|fell_through_open|highest_open|top_row"
    r"|balls_on_self (>=|=) \d+|count \w+ (>=|=) \d+|installed \w+|below \w+"
    r"|part (?P<part>\w+) = (?P<state>\w+))"
)
"""What an effect can be made to depend on; `not` before it turns it round."""
