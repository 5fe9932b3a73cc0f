"""What a seat may know of hands that the referee knows (1.2.1, K24)."""

from msgspec.structs import replace

from hexboard.games.hextraction.rules import hands, resolving
from hexboard.games.hextraction.rules.actions import Action, Choose, Discard, Drew
from hexboard.games.hextraction.rules.operations import Ask, Job, chooses, discards
from hexboard.games.hextraction.rules.pending import Pending
from hexboard.games.hextraction.rules.state import State
from hexboard.games.hextraction.rules.zones import ANY, Copy

CHOSEN = ("discard", "give")
"""The operations for which tiles of hands are chosen."""


def view(s: State, seat: int) -> State:
    """The same moment as a seat knows it; as everybody does, for a seat that there is not."""
    if s.setting.hands != "scan":
        return s
    doing = s.doing and replace(s.doing, answers=_heard(s, s.doing, seat))
    return replace(s, zones=s.zones.view(seat), doing=doing, eyes=seat)


def _heard(s: State, doing: Pending, seat: int) -> tuple[str, ...]:
    """Answers to the effect at hand, without the tiles that others chose of their hands."""
    operation = resolving.operation(s)
    if operation is None or operation.op not in CHOSEN:
        return doing.answers
    job, heard = Job(s, doing), list[str]()
    try:
        for other, n in discards(s, job):
            if not chooses(s, other, n):
                continue
            said = job.unused[:n]
            heard += said if other == seat else (_chosen(s, copy) for copy in said)
            job.skip(n)
    except Ask:  # it is not said yet whose hand it is about
        return doing.answers
    return (*doing.answers[: len(doing.answers) - len(heard)], *heard)


def told(s: State, action: Action, seat: int) -> Action:
    """An action as a seat may hear it."""
    if s.setting.hands != "scan":
        return action
    match action:
        case Drew(other, _) if other != seat:
            return Drew(other, ANY)
        case Discard(copy) if s.ending and s.active != seat:
            return Discard(_hidden(s, copy))
        case Choose(copy) if _discards(s, seat):
            return Choose(_chosen(s, copy))
    return action


def _discards(s: State, seat: int) -> bool:
    """Whether another seat chooses now what to discard or give of its hand."""
    asked, operation = resolving.asked(s), resolving.operation(s)
    other = asked is not None and asked.seat != seat and not s.torn
    return other and operation is not None and operation.op in CHOSEN


def _chosen(s: State, copy: Copy) -> Copy:
    """What others see of a tile that is chosen for the effect at hand: of one given, nothing."""
    operation = resolving.operation(s)
    given = operation is not None and operation.op == "give" and hands.is_copy(s, copy)
    return ANY if given else _hidden(s, copy)


def _hidden(s: State, copy: Copy) -> Copy:
    """Only a Virtual tile is seen as it is discarded: it goes into the Virtual Pool."""
    return copy if hands.is_copy(s, copy) and hands.is_virtual(s, copy) else ANY
