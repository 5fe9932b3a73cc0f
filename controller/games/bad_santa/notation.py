"""How the list of moves has them, as the record of a game does: "12:c4", then "d4 → h8=W"."""

from hexboard.games.bad_santa.position import DICE, LABELS, BadSanta

SIGNS = "BW"


def notation(position: BadSanta, action: int) -> str:
    """A counter with its numbers, a die with the counter that it gives away; "" for the rest."""
    if action in DICE:
        return _die(position, -action)
    if action < 0:
        return ""
    name = position.name(action)
    return name if ":" in name else f"{LABELS[len(position.reserved)]}:{name}"


def _die(position: BadSanta, die: int) -> str:
    names = position.ground.cells
    for label, cell in (divmod(code, len(names)) for code in position.reserved):
        if str(die) in LABELS[label]:
            return f"d{die} → {names[cell]}={SIGNS[1 - position.mover]}"
    return f"d{die}"
